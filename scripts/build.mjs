// Builds the package into dist/: declarations with tsc, rolled up by types.mjs; code with rolldown, bundled as
// layers.mjs says; and copies the files that are shipped unchanged.
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { layersOf, REPLACEABLE } from './layers.mjs';
import { placeholderCss } from './placeholder-css.mjs';
import { root, run } from './process.mjs';
import { buildStudioPage } from './studio-page.mjs';

// The previous build stays until this one is complete.
const dist = join(root, `dist-${process.pid}`);
const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Entry points, and files that are loaded by path: by Astro, by a component and by `imports`. */
const entries = [
  ...Object.values(exports).flatMap(({ default: file = '' }) => (file.endsWith('.js') ? file : [])),
  ...Object.values(bin),
  './dist/astro/dev/toolbar-app.js',
  './dist/astro/preview/bar-html.js',
  './dist/astro/preview/draft-fingerprint.js',
  './dist/astro/components/warn-once.js',
  './dist/astro/components/rich-text/rich-text.js',
  './dist/images/placeholder/preview-attribute.js',
  './dist/astro/components/seo/seo-tags.js',
  './dist/internal/space.js',
  './dist/internal/server.js',
  './dist/internal/image-service.js',
  './dist/astro/loader/load.js',
  './dist/astro/live/check/node-host.js',
  './dist/cli/audit-build/build-site.js',
  './dist/client/http/errors/explain-failure.js',
  './dist/client/http/errors/unexplained-failure.js',
  './dist/emulator/studio/studio.js',
  './dist/platform/browser.js',
  './dist/platform/edge.js',
].map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, '$1'));

/**
 * Modules that are imported when they are used, and that other runtimes than Node replace, with what Node imports. Their
 * imports become `import('#platform/…')`, which package.json resolves for each runtime.
 */
const REPLACED = {
  'astro/integration/integration.ts': 'astro/integration/integration',
  'astro/live/check/node-host.ts': 'astro/live/check/node-host',
  'astro/loader/load.ts': 'astro/loader/load',
  'astro/preview/draft-fingerprint.ts': 'astro/preview/draft-fingerprint',
};

const replaceModules = {
  name: 'replace-modules',
  resolveId(specifier, importer, { kind }) {
    if (!importer || !specifier.startsWith('.')) return undefined;
    const nameOf = (file) => relative(join(root, 'src'), file).replaceAll('\\', '/');
    const module = nameOf(join(dirname(importer), specifier));
    if (module === REPLACEABLE) return { id: '#explain-failure', external: true };
    // What replaces a module may use it.
    if (kind !== 'dynamic-import' || nameOf(importer).startsWith('platform/')) return undefined;
    const isReplaced = Object.hasOwn(REPLACED, module);
    return isReplaced ? { id: `#platform/${REPLACED[module]}`, external: true } : undefined;
  },
};

process.on('exit', () => rmSync(dist, { recursive: true, force: true }));
const declarations = join(dist, 'declarations');
// Before the first job that needs the tools, npm start builds without declarations: see run.mjs.
if (existsSync(join(root, 'node_modules/rolldown-plugin-dts'))) await declareTypes();
const layerOf = layersOf();
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  external: (id) => id.endsWith('.astro') || !(id.startsWith('.') || isAbsolute(id)),
  platform: 'neutral',
  // Layers are split off the entries without changing what these export.
  preserveEntrySignatures: 'allow-extension',
  transform: { target: 'es2023' },
  plugins: [replaceModules],
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
const shipped = [
  'src/{astro,images}/**/*.{astro,css}',
  // Processed by Vite, which leaves other extensions to Node.
  'src/in-astro.ts',
  'src/astro/astro-environment.ts',
  'src/astro/components/index.ts',
  'src/astro/image-service/image-service.ts',
  'src/astro/{preview,revalidate}/{middleware,refresh-route,route}.ts',
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
copyAsInstalled();

/** For sites of tests and benchmarks: Vite leaves to Node only what is installed, not what is linked. */
function copyAsInstalled() {
  const copy = join(root, 'node_modules/.cache/astro-luid/node_modules/astro-luid');
  rmSync(copy, { recursive: true, force: true });
  for (const name of ['dist', 'templates', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
}

/** Types are checked by `npm run typecheck`, together with those of the tests. */
async function declareTypes() {
  const { rollUpTypes } = await import('./types.mjs');
  await run('tsc', ['-p', '.', '--emitDeclarationOnly', '--noCheck', '--outDir', declarations]);
  const typed = Object.values(exports).flatMap(
    ({ types }) => types?.match(/^\.\/dist\/(.*)\.d\.ts$/)?.[1] ?? [],
  );
  await rollUpTypes(typed, { from: declarations, to: dist });
}
