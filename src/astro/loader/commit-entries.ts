import type { LoaderContext } from 'astro/loaders';
import type { StagedEntries } from './stage-entries.ts';

/** How a load changed the entries of a collection. */
export interface Changes {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

type Staged = Pick<StagedEntries, 'staged' | 'skipped'>;
type Store = Pick<LoaderContext['store'], 'keys' | 'get' | 'set' | 'delete'>;

/** Makes the store contain exactly these entries. Synchronous, so that no page sees half of the changes. */
export function commitEntries(store: Store, ids: readonly string[], entries: Staged): Changes {
  const kept = new Set(ids);
  return commitChanges(
    store,
    store.keys().filter((id) => !kept.has(id)),
    entries,
  );
}

/** Removes entries, and stores those that are new or changed. Synchronous too. */
export function commitChanges(
  store: Store,
  removed: readonly string[],
  { staged, skipped }: Staged,
): Changes {
  const toRemove = [...removed, ...skipped].filter((id) => store.get(id) !== undefined);
  const added = staged.filter(({ id }) => store.get(id) === undefined).length;
  for (const id of toRemove) store.delete(id);
  for (const entry of staged) store.set(entry);
  const changed = staged.length - added;
  return { entries: store.keys().length, added, changed, removed: toRemove.length };
}
