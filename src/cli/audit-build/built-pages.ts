import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A page that Astro can restore, because it has a `cacheKey`. */
export interface BuiltPage {
  /** Its URL path: `/authors/mori/`. */
  readonly path: string;
  /** The file of its route: `src/pages/authors/[id].astro`. */
  readonly component: string;
  readonly key: string;
  readonly html: string;
}

/** By URL path. */
export type BuiltPages = ReadonlyMap<string, BuiltPage>;

/** The part of Astro's `incremental-build.json` that is used here. */
interface Manifest {
  readonly routes: Record<
    string,
    { readonly paths: Record<string, { readonly cacheKey: string; readonly outputFile: string }> }
  >;
}

/** The pages with a `cacheKey` of the last build, from what Astro keeps for the next one. None if it keeps nothing. */
export function readBuiltPages(cacheDir: string): BuiltPages {
  const pages = new Map<string, BuiltPage>();
  // As Astro names them.
  const stored = pathToFileURL(`${cacheDir}/dist/`);
  const manifest = readManifest(join(cacheDir, 'incremental-build.json'));
  for (const [component, { paths }] of Object.entries(manifest?.routes ?? {})) {
    for (const [pathname, { cacheKey: key, outputFile }] of Object.entries(paths)) {
      const isFolder = outputFile.endsWith('/index.html') && !pathname.endsWith('/');
      const path = isFolder ? `${pathname}/` : pathname;
      const html = readFileSync(new URL(outputFile, stored), 'utf8');
      pages.set(path, { path, component, key, html });
    }
  }
  return pages;
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
