// Builds the package into dist/: declarations by tsc, one file to one file; code by rolldown, in a
// few files; and what is shipped as it is.
//
// Why not one file of code to one file: Vite runs our package in `astro sync`, `dev` and `build` (its name starts
// with `astro-`), at some 5 ms a file, and a loader is 90 files. test/bench/sync-overhead.ts shows the difference.
import { chmodSync, cpSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root, run } from './process.mjs';

// What was built before stays until all of this is.
const dist = join(root, `dist-${process.pid}`);
const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What is imported by name, and what is loaded by its path: the toolbar by Astro, a helper by a component. */
const entries = [
  ...Object.values(exports).flatMap(({ default: file }) => file ?? []),
  ...Object.values(bin),
  './dist/astro/toolbar-app.js',
  './dist/astro/components/warn-once.js',
].map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, '$1'));

/**
 * Modules that are used together: what every site needs, what a load needs, and what others need alone. The rest of
 * astro/ is not: some of it needs Node, some runs on the edge. Nor is cleaning, which is loaded when a field asks.
 */
const groups = {
  'core/all':
    /^(models|contract|client)\/|^(errors|printable)\.ts$|^entries\/(?!clean-)|^astro\/(settings|live)/,
  'replica/all':
    /^replica\/|^astro\/(load(-\w+)?|dev-report|main-language|replica-options|same-keys|shared-sync|site-findings|site-routes|pictures|warn-once)\.ts$/,
  'media/all': /^media\//,
  // In the folder's own place, so that what lies beside it is found from there.
  'emulator/all': /^emulator\//,
};
/** Where a module lies in src/, wherever the repository lies. */
const placeOf = (id) => relative(join(root, 'src'), id).replaceAll('\\', '/');

process.on('exit', () => rmSync(dist, { recursive: true, force: true }));
await run('tsc', ['-p', '.', '--emitDeclarationOnly', '--outDir', dist]);
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  external: (id) => id.endsWith('.astro') || !/^[./]/.test(id),
  platform: 'neutral',
  // The groups are cut out of the entries, which then export what they did, and no more.
  preserveEntrySignatures: 'allow-extension',
  transform: { target: 'es2023' },
});
await bundle.write({
  dir: dist,
  entryFileNames: '[name].js',
  minifyInternalExports: false,
  chunkFileNames: ({ name }) => (name.includes('/') ? '[name].js' : 'chunks/[name].js'),
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: Object.entries(groups).map(([name, place]) => ({ name, test: (id) => place.test(placeOf(id)) })),
  },
});
const shipped = ['src/**/*.{astro,css}', 'src/emulator/sample/**/*.*', 'src/emulator/seed.schema.json'];
for (const file of globSync(shipped, { cwd: root })) {
  cpSync(join(root, file), join(dist, relative('src', file)));
}
chmodSync(join(dist, 'cli/main.js'), 0o755);
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(dist, join(root, 'dist'));
