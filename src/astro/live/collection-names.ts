import { isRecord } from '../../models/field-types/field-type.ts';

interface NamedLoader {
  readonly setName: (name: string) => void;
  readonly source: ClosableSource | undefined;
}

interface ClosableSource {
  close(): void;
  reopen(): void;
}

const byLoader = new WeakMap<object, NamedLoader>();

/** Of the collections that were named last. */
let usedSources: ReadonlySet<ClosableSource> = new Set();

/**
 * Astro passes the name of a collection to its loader when a page uses it. References need it before. `source` is
 * closed when the collections are defined again, and none of them uses it.
 */
export function onNamed(loader: object, setName: NamedLoader['setName'], source?: ClosableSource): void {
  byLoader.set(loader, { setName, source });
}

/** Passes the names of all live collections to their loaders. */
export function nameCollections(collections: unknown): void {
  if (!isRecord(collections)) return;
  const sources = new Set<ClosableSource>();
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
