// Which modules are shipped in one file. Vite runs our package in `astro sync`, `dev` and `build` (its name starts
// with `astro-`), at some 5 ms a file, and a loader is 90 modules: so they are merged, but never so that an entry
// loads what it does not need.
import { join, relative } from 'node:path';
import { loadedWith, readImports } from './imports.mjs';
import { root } from './process.mjs';

/**
 * The files, the lowest first. Each holds what the modules in `of` load and no lower file holds; but nothing that a
 * module in `not` loads, which would then have to load all of the file.
 */
const LAYERS = [
  // With what a page imports: it must not load more than this file.
  { name: 'client/all', of: ['client/index.ts', 'entries/cache-key.ts'] },
  { name: 'images/all', of: ['images/index.ts', 'images/dimensions/known-dimensions.ts'] },
  // What a space is made of wherever it is used: also what the main entry has in common with others.
  { name: 'live/all', of: ['astro/live/live.ts'], sharedWithRoot: true },
  {
    name: 'replica/all',
    of: ['astro/loader/load.ts'],
    not: ['index.ts', 'astro/image-service/image-service.ts'],
  },
  // In the folder's own place, so that what is shipped beside it is found from there.
  { name: 'emulator/all', of: ['emulator/index.ts'], not: ['index.ts', 'astro/loader/load.ts'] },
];

/** Gives the file that a module belongs to; none, if it is for the bundler to place. */
export function layersOf(source = join(root, 'src')) {
  const files = readImports(source);
  const needsOf = (modules) => modules.flatMap((module) => [...loadedWith(files, module).keys()]);
  const ofRoot = new Set(needsOf(['index.ts']));
  const others = needsOf([...files.keys()].filter((file) => !ofRoot.has(file)));
  const shared = others.filter((module) => ofRoot.has(module));

  const places = new Map();
  for (const { name, of, not = [], sharedWithRoot } of LAYERS) {
    const kept = new Set(needsOf(not));
    for (const module of [...needsOf(of), ...(sharedWithRoot ? shared : [])]) {
      if (!kept.has(module) && !places.has(module)) places.set(module, name);
    }
  }
  return (id) => places.get(relative(source, id).replaceAll('\\', '/'));
}
