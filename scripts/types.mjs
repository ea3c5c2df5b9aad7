// Rolls up declarations: one file per entry point, and what several of them share in types/.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { root } from './process.mjs';

const SOURCE = join(root, 'src');

/** Declares what `entries` and the components import, from the declarations of each file in a folder, which are removed. */
export async function rollUpTypes(entries, { from, to }) {
  const names = new Set([...entries, ...importedByComponents()]);
  const bundle = await rolldown({
    input: Object.fromEntries([...names].map((name) => [name, join(from, `${name}.d.ts`)])),
    external: (id) => id.endsWith('.astro') || !(id.startsWith('.') || isAbsolute(id)),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    // Otherwise comments name the folder of each declaration.
    experimental: { attachDebugInfo: 'none' },
  });
  await bundle.write({ dir: to, chunkFileNames: 'types/[name].js', minifyInternalExports: false });
  rmSync(from, { recursive: true });
}

/** The modules that .astro files import: their types are read in the editor of a user. */
function importedByComponents() {
  return globSync('**/*.astro', { cwd: SOURCE }).flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/(?:from |import\()'(\..*)\.js'/g)].map(
      ([, path]) => join(dirname(file), path).replaceAll('\\', '/'),
    ),
  );
}
