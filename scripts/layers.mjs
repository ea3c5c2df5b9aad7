// Decides which modules are bundled into one file. A loader has 90 modules, and Node takes about 0.3 ms for each file, Vite
// 5 ms (where it processes the package: docs/architecture.md, "Copies of the package"). They are merged so that no entry
// point loads modules that it does not need.
import { join, relative } from 'node:path';
import { loadedWith, readImports } from './imports.mjs';
import { root } from './process.mjs';

/** Imported statically by the client, and resolved by package.json for each runtime: a file of its own. */
export const REPLACEABLE = 'client/http/errors/explain-failure.ts';

/** What a load imports if something changed. */
const MAKING = [
  'astro/loader/make-entries.ts',
  'astro/loader/entries-to-make.ts',
  'astro/loader/advice.ts',
  'astro/collection/make/entry-maker.ts',
];

/** Live collections from a replica, without what needs Node. */
const SERVING = ['astro/live/serve/replica-live-loader.ts', 'astro/live/check/storage-host.ts'];

/**
 * The bundled files, the lowest first. Each contains the modules that `of` loads (by default everything outside of the
 * main entry) and no lower file contains: only those that `with` loads too, and none that `not` loads, because these
 * entry points would have to load the whole file.
 */
const LAYERS = [
  // What the client has in common with entry points that load it when they send the first request, or never.
  {
    name: 'base/all',
    of: [
      'client/index.ts',
      'entries/keys/cache-key.ts',
      'astro/collection-key.ts',
      'shared/messages/language.ts',
    ],
    with: ['index.ts', 'images/index.ts', 'images/dimensions/known-dimensions.ts'],
  },
  // Before the files that a command may not need.
  { name: 'messages/load', of: ['shared/messages/load-language.ts', 'shared/package-version.ts'] },
  { name: 'client/all', of: ['client/index.ts'] },
  { name: 'images/all', of: ['images/index.ts', 'images/dimensions/known-dimensions.ts'] },
  // What a space is made of wherever it is used: what the main entry has in common with others.
  { name: 'space/all', with: ['index.ts'] },
  // What a load has in common with a live loader from the service.
  { name: 'live/common', of: ['astro/live/live.ts'], with: ['astro/loader/load.ts'] },
  // How text becomes HTML with anchors, which a component needs without a loader.
  {
    name: 'text/all',
    of: ['astro/components/rich-text/rich-text.ts'],
    with: ['astro/live/live.ts'],
  },
  { name: 'live/entries', of: ['astro/live/live.ts'], with: MAKING },
  { name: 'live/all', of: ['astro/live/live.ts'] },
  // What every load needs, then how entries are made, in builds and on servers of every kind; then what only servers need.
  { name: 'entries/base', of: SERVING, with: ['astro/loader/load.ts'] },
  { name: 'entries/all', of: SERVING, with: ['astro/loader/make-entries.ts'] },
  { name: 'live/serve', of: SERVING },
  {
    name: 'replica/all',
    of: ['astro/loader/load.ts'],
    not: ['index.ts', 'astro/image-service/cdn-image-service.ts', 'astro/feeds/sitemap.ts'],
  },
  { name: 'entries/make', of: MAKING },
  // In its own folder, where its assets are found.
  { name: 'emulator/all', of: ['emulator/index.ts'], not: ['index.ts', 'astro/loader/load.ts'] },
];

/** Returns a function that maps a module to its file; `undefined` lets the bundler decide. */
export function layersOf(source = join(root, 'src')) {
  const files = new Map(
    readImports(source)
      .entries()
      .map(([file, imports]) => [file, imports.filter(({ target }) => target !== REPLACEABLE)]),
  );
  const needsOf = (modules) => modules.flatMap((module) => [...loadedWith(files, module).keys()]);
  const ofRoot = new Set(needsOf(['index.ts']));
  // internal/space.ts only passes on what the main entry has, and must not split it: bundlers keep all of a shared file that
  // has dynamic imports.
  const outsideRoot = [...files.keys()].filter((file) => !ofRoot.has(file) && file !== 'internal/space.ts');

  const places = new Map();
  for (const { name, of = outsideRoot, with: users = of, not = [] } of LAYERS) {
    const common = new Set(needsOf(users));
    const kept = new Set(needsOf(not));
    for (const module of needsOf(of)) {
      if (common.has(module) && !kept.has(module) && !places.has(module)) places.set(module, name);
    }
  }
  return (id) => places.get(relative(source, id).replaceAll('\\', '/'));
}
