import { isRecord } from '../../models/field-types/field-type.ts';
import type { Closable } from './live-sources.ts';

interface NamedLoader {
  readonly setName: (name: string) => void;
  readonly source: Closable | undefined;
}

const byLoader = new WeakMap<object, NamedLoader>();

/** Of the collections that were named last. */
let usedSources: ReadonlySet<Closable> = new Set();

/**
 * Astro passes the name of a collection to its loader when a page uses it. References need it before. `source` is
 * closed when the collections are defined again, and none of them uses it.
 */
export function onNamed(loader: object, setName: NamedLoader['setName'], source?: Closable): void {
  byLoader.set(loader, { setName, source });
}

/** Passes the names of all live collections to their loaders. */
export function nameCollections(collections: unknown): void {
  if (!isRecord(collections)) return;
  const sources = new Set<Closable>();
  for (const [name, collection] of Object.entries(collections)) {
    if (!isRecord(collection) || !isRecord(collection.loader)) continue;
    const named = byLoader.get(collection.loader);
    named?.setName(name);
    if (named?.source) sources.add(named.source);
  }
  // A dev server evaluates the definitions again after each change, and those before must not go on checking.
  for (const source of usedSources) if (!sources.has(source)) source.close();
  for (const source of sources) source.reopen();
  usedSources = sources;
}

/** `src/live.config.ts` of the site. */
export type LoadLiveConfig = () => Promise<{ readonly collections?: unknown }>;

/** Returns a function that lets live collections know their names, before the first page uses one of them. */
export function createNaming(load: LoadLiveConfig | undefined): () => Promise<void> {
  let named: unknown;
  return async () => {
    // A page that uses live collections reports the error.
    const config = await load?.().catch(() => undefined);
    // A dev server evaluates the file again after each change.
    if (config?.collections === named) return;
    named = config?.collections;
    nameCollections(named);
  };
}
