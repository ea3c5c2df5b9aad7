// Builds the package into dist/: tsc, one file to one file, and what is shipped as it is.
import { chmodSync, cpSync, globSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run } from './process.mjs';

rmSync(join(root, 'dist'), { recursive: true, force: true });
await run('tsc', ['-p', '.']);
for (const file of globSync(['src/**/*.{astro,css}', 'src/emulator/sample/**/*.*'], { cwd: root })) {
  cpSync(join(root, file), join(root, 'dist', relative('src', file)));
}
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
