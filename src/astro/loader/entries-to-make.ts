import type { Entry } from '../../entries/collection.ts';
import { unusableIdsError } from '../../entries/entry-id.ts';
import { duplicateIdsError } from '../../entries/problems/content-errors.ts';
import { type Content, replicasOf } from '../../replica/content/content.ts';
import { DamagedSegment } from '../../replica/content/segment-items.ts';
import { UnreadItem } from '../../replica/replica.ts';
import { CollectionView } from '../collection/view/collection-view.ts';
import { findDifference } from '../collection/view/difference.ts';
import type { ContentMember } from '../collection/view/find-members.ts';
import { nextView, readEntries } from '../collection/view/next-view.ts';
import type { BuildCollection } from './build-collection.ts';
import type { PreviousLoad } from './stored-load.ts';

/** How to get from the stored entries to those of the content as it is now. */
export interface EntriesToMake {
  readonly view: CollectionView;
  /** Entries that may be new or changed. */
  readonly entries: readonly Entry[];
  /** Ids of entries that the collection does not contain any more. */
  readonly removed: readonly string[];
  /** Content IDs of everything that may differ; `undefined`: anything may. */
  readonly affected: ReadonlySet<number> | undefined;
}

/** All entries of a collection. */
export async function allEntries(collection: BuildCollection, content: Content): Promise<EntriesToMake> {
  await Promise.all(replicasOf(content).map((replica) => replica.readAll()));
  const view = await CollectionView.open(collection, content);
  await view.findBacklinks();
  checkIds(collection, view);
  const entries = view.all.map((member) => view.entryOf(member));
  const removed = collection.context.store.keys().filter((id) => view.find(id).length === 0);
  return { view, entries, removed, affected: undefined };
}

/** The entries that show what changed since the previous load. `undefined` if it is not certain which these are. */
export async function changedEntries(
  collection: BuildCollection,
  content: Content,
  previous: PreviousLoad,
): Promise<EntriesToMake | undefined> {
  const { state } = previous;
  if (!state || state.collection !== collection.fingerprint) return undefined;
  const changed = changesSince(content, state.content);
  const before = changed && previous.readMembers();
  if (!before || before.size !== collection.context.store.keys().length) return undefined;
  try {
    const next = await nextView(collection, { before, content, changed });
    if (!next) return undefined;
    const { view, affected } = next;
    checkIds(collection, view);
    const difference = findDifference(before, view, affected);
    const members = difference.changed.map(({ member }) => member);
    await readEntries(collection, content, next, members);
    const entries = members.map((member) => view.entryOf(member));
    return { view, entries, removed: difference.removed, affected };
  } catch (error) {
    // Reading everything repairs what is damaged, and finds all items that share an id.
    if (error instanceof UnreadItem || error instanceof DamagedSegment) return undefined;
    throw error;
  }
}

/** What changed in any language since the replicas had these fingerprints; `undefined` if that is not known. */
function changesSince(content: Content, fingerprints: readonly string[]): Set<number> | undefined {
  const replicas = replicasOf(content);
  if (replicas.length !== fingerprints.length) return undefined;
  const changed = new Set<number>();
  for (const [index, replica] of replicas.entries()) {
    const ids = replica.changesSince(fingerprints[index] as string);
    if (!ids) return undefined;
    for (const id of ids) changed.add(id);
  }
  return changed;
}

/** Throws for ids that cannot be used. With `onInvalid: 'skip'`, items without an id are skipped instead. */
function checkIds({ name, space, settings }: BuildCollection, view: CollectionView): void {
  const { duplicates, withoutId } = view;
  if (duplicates.size > 0) {
    const itemsOf = (members: readonly ContentMember[]) =>
      members.flatMap(({ language, itemId }) => view.languages[language]?.get(itemId) ?? []);
    throw duplicateIdsError(new Map([...duplicates].map(([id, members]) => [id, itemsOf(members)])), name);
  }
  if (withoutId.length === 0 || space.settings.onInvalid === 'skip') return;
  throw unusableIdsError(withoutId, settings.rule.id, false);
}
