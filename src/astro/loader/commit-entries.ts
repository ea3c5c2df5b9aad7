import type { LoaderContext } from 'astro/loaders';
import { formatCount, pluralize } from '../../shared/format-count.ts';
import { scopeSuffix } from '../../space/content-scope.ts';
import type { CollectionSettings } from '../collection/options/loader-options.ts';
import type { StagedEntries } from './stage-entries.ts';

/** How many entries a collection has, and how many of them a load changed. */
export interface EntryCounts {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Removes entries, and stores those that are new or changed. Synchronous, so that no page sees half of the changes. */
export function commitEntries(
  store: Pick<LoaderContext['store'], 'keys' | 'get' | 'set' | 'delete'>,
  removed: readonly string[],
  { staged, skipped }: Pick<StagedEntries, 'staged' | 'skipped'>,
): EntryCounts {
  const toRemove = [...removed, ...skipped].filter((id) => store.get(id) !== undefined);
  const added = staged.filter(({ id }) => store.get(id) === undefined).length;
  for (const id of toRemove) store.delete(id);
  for (const entry of staged) store.set(entry);
  const changed = staged.length - added;
  return { entries: store.keys().length, added, changed, removed: toRemove.length };
}

/** `articles (en): 121 entries, 3 changed` */
export function loadLine(
  collection: string,
  { rule: { lang, langs }, drafts }: Pick<CollectionSettings, 'rule' | 'drafts'>,
  { entries, added, changed, removed }: EntryCounts,
): string {
  const changes = [
    added > 0 && `${formatCount(added)} added`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter((part) => part !== false);
  const label = `${collection}${scopeSuffix(langs ?? [lang], drafts)}`;
  return `${label}: ${pluralize(entries, 'entry', 'entries')}, ${changes.join(', ') || 'none changed'}`;
}
