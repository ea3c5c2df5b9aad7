import type { LoaderContext } from 'astro/loaders';
import type { StagedEntries } from './stage-entries.ts';

/** How a load changed the entries of a collection. */
export interface Changes {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Makes the store contain exactly these entries. Synchronous, so that no page sees half of the changes. */
export function commitEntries(
  { store }: Pick<LoaderContext, 'store'>,
  ids: readonly string[],
  { staged, skipped }: StagedEntries,
): Changes {
  const kept = new Set(ids.filter((id) => !skipped.has(id)));
  const before = new Set(store.keys());
  const removed = [...before].filter((id) => !kept.has(id));
  const added = staged.filter(({ id }) => !before.has(id)).length;
  for (const id of removed) store.delete(id);
  for (const entry of staged) store.set(entry);
  return { entries: kept.size, added, changed: staged.length - added, removed: removed.length };
}
