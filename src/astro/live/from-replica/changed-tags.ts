import type { BacklinkRule } from '../../../entries/backlinks.ts';
import { changedItems, type ItemChanges } from '../../../replica/memory/changed-items.ts';
import type { MemoryReplica } from '../../../replica/memory/memory-replica.ts';
import { itemsThatShow } from '../../loader/affected-items.ts';
import type { LiveChange } from '../live-sources.ts';
import { entryTag, itemTags, listsTag, missingTag } from './cache-tags.ts';
import type { CollectionView, LiveMember } from './collection-view.ts';
import { type ContentVersion, replicasOf } from './content-version.ts';
import { targetsOfReferrers } from './live-backlinks.ts';
import type { EntryMaker } from './make-entries.ts';
import type { RegisteredQueries } from './registered-queries.ts';
import { createTimeSlices } from './time-slices.ts';

/** A collection before and after a change. */
export interface ChangedCollection {
  /** Names the collection in tags. */
  readonly name: string;
  readonly model: string;
  /** Over how many references a change can show in an entry. */
  readonly distance: number;
  /** The lists of referrers in its entries. */
  readonly backlinks: readonly BacklinkRule[];
  readonly before: CollectionView;
  readonly after: CollectionView;
  readonly makerBefore: EntryMaker;
  readonly makerAfter: EntryMaker;
  /** An image that could not be read before is known now: any entry may show it. */
  readonly areImagesFound: boolean;
  readonly queries: RegisteredQueries;
  /** Whether all lists in the cache were registered. */
  readonly areListsKnown: boolean;
}

/** A collection that pages have shown. */
export interface UsedCollection {
  /** Names the collection in tags. */
  readonly name: string;
  readonly queries: RegisteredQueries;
  /** Rejects if its entries are not known before or after the change: its own requests fail then, too. */
  open(): Promise<ChangedCollection>;
  /** The ids of all entries that pages may have shown before the change, as far as they are known. */
  shownIds(): Promise<Iterable<string>>;
  succeed(): void;
  fail(error: unknown): void;
}

/**
 * What is different between two versions, as cache tags: no more and no less than what pages show. Of a collection that
 * cannot be compared, that is everything: it does not keep the others from being up to date.
 */
export async function findChange(
  before: ContentVersion,
  after: ContentVersion,
  collections: readonly UsedCollection[],
): Promise<LiveChange> {
  const changes = changesByLanguage(before, after);
  const union = (of: (change: ItemChanges) => ReadonlySet<number>) =>
    new Set(changes.flatMap((change) => [...of(change)]));
  const changed = union(({ all }) => all);
  const tags = new Set<string>();
  for (const id of changed) {
    const model = modelOf(id, replicasOf(after)) ?? modelOf(id, replicasOf(before));
    if (model !== undefined) for (const tag of itemTags({ _model: model, _id: id })) tags.add(tag);
  }
  const opening = await Promise.allSettled(collections.map((collection) => collection.open()));
  const updates: (() => void)[] = [];
  for (const [index, collection] of collections.entries()) {
    try {
      const opened = settledValue(opening[index] as PromiseSettledResult<ChangedCollection>);
      updates.push(await addCollectionTags(opened, before, after, changed, tags));
      collection.succeed();
    } catch (error) {
      collection.fail(error);
      for (const tag of await allTags(collection)) tags.add(tag);
      updates.push(() => collection.queries.forget(after.number));
    }
  }
  // After everything that can fail: what a failed check has compared would be lost.
  for (const apply of updates) apply();
  const [added, removed] = [union((one) => one.added), union((one) => one.removed)];
  const edited = union((one) => one.changed);
  return { tags: [...tags], added: added.size, changed: edited.size, removed: removed.size };
}

function settledValue<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The tags of all pages that show a collection. */
async function allTags({ name, shownIds }: UsedCollection): Promise<string[]> {
  const ids = [...(await shownIds())];
  return [listsTag(name), missingTag(name), ...ids.map((id) => entryTag(name, id))];
}

function changesByLanguage(before: ContentVersion, after: ContentVersion): ItemChanges[] {
  const subs = [...after.sub].flatMap(([lang, replica]) => {
    const old = before.sub.get(lang);
    return old ? [changedItems(old, replica)] : [];
  });
  return [changedItems(before.main, after.main), ...subs];
}

function modelOf(id: number, replicas: readonly MemoryReplica[]): string | undefined {
  for (const replica of replicas) {
    const model = replica.modelOf(id);
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Returns a function to call when the next version is served. */
async function addCollectionTags(
  collection: ChangedCollection,
  before: ContentVersion,
  after: ContentVersion,
  changed: ReadonlySet<number>,
  tags: Set<string>,
): Promise<() => void> {
  const { name, model, distance, backlinks, queries } = collection;
  const replicas = [...replicasOf(before), ...replicasOf(after)];
  const affected = itemsThatShow(changed, replicas, distance);
  const lists = targetsOfReferrers(affected, backlinks, replicas);
  const edited = [...affected, ...lists].filter((id) => modelOf(id, replicas) === model);
  const ofModel = new Set(collection.areImagesFound ? membersOfBoth(collection) : edited);
  if (ofModel.size === 0) return () => {};
  const slice = createTimeSlices();
  const changedEntries = new Set<string>();
  const [old, now] = [membersNear(collection.before, ofModel), membersNear(collection.after, ofModel)];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(key), now.get(key)];
    // Only one of the two may be near an affected item.
    const earlier = was ?? (is && sameMember(collection.before, is));
    const later = is ?? (was && sameMember(collection.after, was));
    if (earlier && later && earlier.id === later.id && isSame(collection, earlier, later)) continue;
    for (const member of [earlier, later]) if (member) changedEntries.add(member.id);
    await slice();
  }
  for (const id of changedEntries) tags.add(entryTag(name, id));
  const { changedTags, hasForgotten, apply } = await queries.update({
    before: collection.before,
    after: collection.after,
    affected: ofModel,
    changedEntries,
    version: after.number,
  });
  for (const tag of changedTags) tags.add(tag);
  const mayChangeLists = edited.length > 0 || changedEntries.size > 0;
  if (hasForgotten || (mayChangeLists && !collection.areListsKnown)) tags.add(listsTag(name));
  return apply;
}

function membersOfBoth({ before, after }: ChangedCollection): number[] {
  return [...before.members, ...after.members].map(({ itemId }) => itemId);
}

function isSame(
  { before, after, makerBefore, makerAfter }: ChangedCollection,
  earlier: LiveMember,
  later: LiveMember,
): boolean {
  return makerBefore.digestOf(before.entryOf(earlier)) === makerAfter.digestOf(after.entryOf(later));
}

const keyOf = ({ language, itemId }: LiveMember) => `${language} ${itemId}`;

/** The members whose items are affected, and their neighbours. */
function membersNear(view: CollectionView, ids: ReadonlySet<number>): Map<string, LiveMember> {
  const found = new Map<string, LiveMember>();
  for (const member of view.membersOf(ids)) {
    for (const one of [member, ...view.neighboursOf(member)]) found.set(keyOf(one), one);
  }
  return found;
}

function sameMember(view: CollectionView, { itemId, language }: LiveMember): LiveMember | undefined {
  return view.membersOf(new Set([itemId])).find((member) => member.language === language);
}
