// Builds the page of the emulator's studio: one script, one stylesheet and the files that are shipped unchanged.
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { root } from './process.mjs';

const source = join(root, 'src/emulator/studio/page');
/** Bundled into the script, so its license has to be named there. */
const BANNER = '/* Contains Preact, Copyright (c) 2015-present Jason Miller, MIT License */';

export async function buildStudioPage(folder) {
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: join(source, 'main.tsx'),
    platform: 'browser',
    // tsconfig.json beside the source says how JSX is compiled.
    transform: { target: 'es2023' },
  });
  const { output } = await bundle.generate({ minify: true });
  // After minifying, which removes comments.
  writeFileSync(join(folder, 'studio.js'), `${BANNER}\n${output[0].code}`);
  const styles = globSync('**/*.css', { cwd: source })
    .filter((file) => file !== 'preview.css')
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const css = styles.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  const { code } = await transform(css, { loader: 'css', minify: true, target: 'chrome125' });
  writeFileSync(join(folder, 'studio.css'), code);
  for (const file of ['index.html', 'icon.svg', 'preview.css'])
    copyFileSync(join(source, file), join(folder, file));
}

/** What all views share comes first, so that each can override it. */
function rank(file) {
  return file === 'base.css' ? 0 : 1;
}
