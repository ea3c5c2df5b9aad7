import { type Content, replicasOf } from '../../../replica/content/content.ts';
import {
  changeDistance,
  itemsShownBy,
  itemsThatList,
  itemsThatShow,
  possibleReferrers,
} from './affected-items.ts';
import type { Collection } from './collection.ts';
import { CollectionView } from './collection-view.ts';
import type { ContentMember } from './find-members.ts';
import type { MemberList } from './member-list.ts';

export interface NextView {
  readonly view: CollectionView;
  readonly before: MemberList;
  /** Content IDs of everything that may differ from before. */
  readonly affected: ReadonlySet<number>;
}

export interface ContentChange {
  readonly before: MemberList;
  readonly content: Content;
  /** Content IDs of what changed, in any language. */
  readonly changed: ReadonlySet<number>;
  /** Over how many references a change shows, if that is further than in entries. */
  readonly distance?: number;
}

/** With more affected items than this, and half of the collection, looking at everything is faster. */
const MANY = 1000;

/** The view of the next content, made from the members before and what changed. `undefined` if that is too much. */
export async function nextView(
  collection: Collection,
  { before, content, changed, distance = 0 }: ContentChange,
): Promise<NextView | undefined> {
  const { settings } = collection;
  const replicas = replicasOf(content);
  await Promise.all(replicas.map((replica) => replica.prepare()));
  const reach = Math.max(distance, changeDistance(collection));
  const affected = itemsThatShow(changed, replicas, reach);
  for (const id of itemsThatList(affected, settings.backlinks, replicas, before.listed)) affected.add(id);
  if (affected.size > MANY && affected.size > before.size / 2) return undefined;
  // Why they are skipped is reported again.
  for (const id of before.skipped) affected.add(id);
  const ofModel = [...affected].filter((id) =>
    replicas.some((replica) => replica.modelOf(id) === settings.model),
  );
  await readShown(content, new Set(ofModel), reach);
  return { before, affected, view: await CollectionView.open(collection, content, { before, affected }) };
}

/** Reads what the entries of these members show, and finds their backlinks. */
export async function readEntries(
  collection: Collection,
  content: Content,
  { view, before }: NextView,
  members: readonly ContentMember[],
): Promise<void> {
  const replicas = replicasOf(content);
  const targets = idsOf(members);
  const neighbours = members
    .flatMap((member) => view.neighboursOf(member))
    .filter((one) => one !== undefined);
  const referrers = possibleReferrers(targets, collection.settings.backlinks, replicas);
  await readShown(content, new Set([...targets, ...referrers]), changeDistance(collection));
  await readShown(content, idsOf(neighbours), 0);
  await view.findBacklinks({ targets, referrers, listedBefore: before.listed });
}

function idsOf(members: readonly ContentMember[]): Set<number> {
  return new Set(members.map(({ itemId }) => itemId));
}

/** Reads these items, and what they show. */
async function readShown(content: Content, ids: ReadonlySet<number>, distance: number): Promise<void> {
  const replicas = replicasOf(content);
  const unread = replicas.filter((replica) => replica.allSegments().some(({ isRead }) => !isRead));
  if (unread.length === 0) return;
  const wanted = itemsShownBy(ids, replicas, distance);
  await Promise.all(unread.map((replica) => replica.read(wanted)));
}
