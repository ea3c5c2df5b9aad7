// Builds the package into dist/: declarations with tsc, one per file; code with rolldown, bundled as layers.mjs
// says; and copies the files that are shipped unchanged.
import { chmodSync, cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { layersOf } from './layers.mjs';
import { placeholderCss } from './placeholder-css.mjs';
import { root, run } from './process.mjs';
import { buildStudioPage } from './studio-page.mjs';

// The previous build stays until this one is complete.
const dist = join(root, `dist-${process.pid}`);
const { exports, imports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Entry points, and files that are loaded by path: by Astro, by a component and by `imports`. */
const entries = [
  ...Object.values(exports).flatMap(({ default: file }) => file ?? []),
  ...Object.values(bin),
  './dist/astro/dev/toolbar-app.js',
  './dist/astro/revalidate/middleware.js',
  './dist/astro/revalidate/refresh-route.js',
  './dist/astro/preview/draft-fingerprint.js',
  './dist/astro/preview/middleware.js',
  './dist/astro/preview/enter-route.js',
  './dist/astro/preview/exit-route.js',
  './dist/astro/preview/events-route.js',
  './dist/astro/preview/bar-script-route.js',
  './dist/astro/preview/bar-style-route.js',
  './dist/astro/preview/any-page-route.js',
  './dist/astro/components/warn-once.js',
  './dist/astro/components/rich-text/rich-text.js',
  './dist/images/placeholder/preview-attribute.js',
  './dist/astro/components/seo/seo-tags.js',
  './dist/astro/entries-of.js',
  './dist/astro/loader/load.js',
  './dist/astro/loader/load-in-node.js',
  './dist/astro/live/from-replica/node-host.js',
  './dist/astro/live/from-replica/storage-host.js',
  './dist/cli/audit-build/build-site.js',
  './dist/emulator/studio/studio.js',
  './dist/space/secrets.js',
  './dist/space/node-only-stubs.js',
].map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, '$1'));

/** Rewrites `import('./load.ts')` to `import('#load')`, which package.json resolves for each runtime. */
const privateNames = {
  name: 'private-names',
  resolveId(specifier, _importer, { kind }) {
    const id = `#${basename(specifier, '.ts')}`;
    return kind === 'dynamic-import' && Object.hasOwn(imports, id) ? { id, external: true } : undefined;
  },
};

process.on('exit', () => rmSync(dist, { recursive: true, force: true }));
await run('tsc', ['-p', '.', '--emitDeclarationOnly', '--outDir', dist]);
const layerOf = layersOf();
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  external: (id) => id.endsWith('.astro') || !(id.startsWith('.') || isAbsolute(id)),
  platform: 'neutral',
  // Layers are split off the entries without changing what these export.
  preserveEntrySignatures: 'allow-extension',
  transform: { target: 'es2023' },
  plugins: [privateNames],
});
await bundle.write({
  dir: dist,
  entryFileNames: '[name].js',
  minifyInternalExports: false,
  // Vite and Node parse this code in every build. The declarations keep their documentation.
  comments: { jsdoc: false },
  chunkFileNames: ({ name }) => (name.includes('/') ? '[name].js' : 'chunks/[name].js'),
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: (id) => layerOf(id) ?? null, debugName: 'layers' }],
  },
});
// load-in-node.js requires the layer that contains it: one file less.
rmSync(join(dist, 'astro/loader/load.js'));
const shipped = [
  'src/{astro,images}/**/*.{astro,css}',
  'src/emulator/sample/**/*.*',
  'src/emulator/seed.schema.json',
];
for (const file of globSync(shipped, { cwd: root })) {
  cpSync(join(root, file), join(dist, relative('src', file)));
}
writeFileSync(join(dist, 'placeholder.css'), placeholderCss());
await buildStudioPage(join(dist, 'emulator/studio/page'));
chmodSync(join(dist, 'cli/main.js'), 0o755);
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(dist, join(root, 'dist'));
