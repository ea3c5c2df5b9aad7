import type { WireContent } from '../../contract/content.ts';
import { type BacklinkIndex, indexBacklinks } from '../../entries/backlinks.ts';
import {
  createEntry,
  type Entry,
  type EntryOptions,
  type Member,
  memberId,
} from '../../entries/collection.ts';
import { languageContent } from '../../entries/language-content.ts';
import type { LanguageItems } from '../../entries/language-items.ts';
import type { ItemIndex } from '../../replica/item-index.ts';
import { DamagedSegment } from '../../replica/store/model-table.ts';
import { sortKeyOf } from '../../replica/store/segments.ts';
import type { RunningSpace } from '../../space/space.ts';
import {
  itemsThatList,
  listedReferrers,
  possibleReferrers,
  type StoredReferrers,
} from './affected-backlinks.ts';
import { changeDistance, itemsShownBy, itemsThatShow } from './affected-items.ts';
import { referencesOf } from './collection-rules.ts';
import type { LoaderPlan } from './loader-options.ts';
import { ItemNotReadError, PartialItems } from './partial-items.ts';
import {
  countMembers,
  orderedItem,
  type StoredEntries,
  type StoredMember,
  type StoredMembers,
  storedMember,
} from './stored-members.ts';
import { allReplicas, type LanguageReplicas } from './sync-languages.ts';

/** How to get from the stored entries to those of the content as it is now. */
export interface Update extends StoredEntries {
  /** Entries that may be new or changed. */
  readonly entries: readonly Entry[];
  /** Ids of entries that the collection does not contain any more. */
  readonly removed: readonly string[];
  /** Content IDs of everything that may differ. */
  readonly affected: ReadonlySet<number>;
}

export interface UpdateOptions {
  readonly space: RunningSpace;
  readonly plan: LoaderPlan;
  readonly replicas: LanguageReplicas;
  readonly collection: string;
  /** What the store contains. Made with the same options. */
  readonly stored: StoredMembers;
  /** Whether the store has an entry with this id. */
  readonly hasEntry: (id: string) => boolean;
}

/**
 * Finds the entries that may differ from the stored ones, by what changed in the replicas since. `undefined` if that is
 * not certain, too much, or leads to a problem: then all entries have to be made again.
 */
export async function planUpdate(options: UpdateOptions): Promise<Update | undefined> {
  try {
    return await findUpdate(options);
  } catch (error) {
    // Reading everything repairs what is damaged.
    if (error instanceof ItemNotReadError || error instanceof DamagedSegment) return undefined;
    throw error;
  }
}

/** With more affected items than this, and half of the collection, everything is made again. */
const MANY = 1000;

async function findUpdate(options: UpdateOptions): Promise<Update | undefined> {
  const { space, plan, replicas, collection, stored, hasEntry } = options;
  const changed = changedItems(replicas, stored);
  if (!changed) return undefined;
  const references = referencesOf(space, plan, collection);
  const targetRules = [...references.values()].map(({ rule }) => rule);
  const distance = changeDistance(plan, targetRules);
  const partial = new Map(
    await Promise.all(
      allReplicas(replicas).map(async (replica) => [replica, await PartialItems.open(replica)] as const),
    ),
  );
  const indexes = [...partial.values()].map(({ index }) => index);
  const affected = itemsThatShow(changed, indexes, distance);
  const lists = itemsThatList(affected, plan.backlinks, indexes, stored.referrers ?? []);
  for (const id of lists) affected.add(id);
  if (affected.size > MANY && affected.size > countMembers(stored) / 2) return undefined;
  const read = async (ids: ReadonlySet<number>, reach: number) => {
    const wanted = itemsShownBy(ids, indexes, reach);
    await Promise.all([...partial.values()].map((items) => items.read(wanted)));
  };

  const candidates = [...affected].filter((id) =>
    indexes.some((index) => index.get(id)?.model === plan.model),
  );
  await read(new Set(candidates), distance);
  const content = await languageContent(
    space,
    plan.rule,
    replicas,
    async (replica) => partial.get(replica) as PartialItems,
  );
  const entryOptions = { ...content, order: plan.order, references };
  const entries: Entry[] = [];
  const languages: StoredMember[][] = [];
  const referrers: StoredReferrers[] = [];
  for (const [index, languageItems] of content.languages.entries()) {
    const before = stored.languages[index] ?? [];
    const members = newMembers(plan, candidates, languageItems);
    if (!members) return undefined;
    const after = place(plan, before, affected, members);
    languages.push(after);
    const toMake = plan.order ? withNeighbours(before, after, affected) : members.map(({ item }) => item._id);
    await readNeighbours(plan, after, toMake, read, distance);
    const backlinks = await readBacklinks(plan, languageItems, new Set(toMake), indexes, read, distance);
    const made = makeEntries({ ...entryOptions, backlinks }, languageItems, after, toMake);
    entries.push(...made);
    referrers.push({ ...withoutItems(stored.referrers?.[index], affected), ...listedReferrers(made) });
  }

  const ids = new Set(entries.map(({ id }) => id));
  const ofAffected = new Set(
    stored.languages.flatMap((members) => members.filter(([id]) => affected.has(id)).map(([, id]) => id)),
  );
  const isTaken = ({ id, item }: Entry) => affected.has(item._id) && hasEntry(id) && !ofAffected.has(id);
  if (ids.size < entries.length || entries.some(isTaken)) return undefined;
  const removed = [...ofAffected].filter((id) => !ids.has(id));
  return { entries, removed, affected, languages, ...(plan.backlinks.length > 0 && { referrers }) };
}

/** What changed in any language since the entries were stored. */
function changedItems(replicas: LanguageReplicas, stored: StoredMembers): Set<number> | undefined {
  const all = allReplicas(replicas);
  if (all.length !== stored.replicas.length) return undefined;
  const changed = new Set<number>();
  for (const [index, replica] of all.entries()) {
    const ids = replica.changesSince(stored.replicas[index] as string);
    if (!ids) return undefined;
    for (const id of ids) changed.add(id);
  }
  return changed;
}

/** Those that the collection contains, in the order of a replica; `undefined` if one has no usable id. */
function newMembers(
  { rule }: LoaderPlan,
  candidates: readonly number[],
  languageItems: LanguageItems,
): Member[] | undefined {
  const members: Member[] = [];
  for (const candidate of candidates) {
    const item = languageItems.get(candidate);
    const result = item && memberId(rule, item, languageItems);
    if (!item || !result) continue;
    if ('problem' in result) return undefined;
    members.push({ id: result.id, item });
  }
  const placeOf = ({ item }: Member) => ({ isLast: languageItems.isFallback(item._id), ...sortKeyOf(item) });
  return members.sort((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)];
    return Number(a.isLast) - Number(b.isLast) || a.time - b.time || a.id - b.id;
  });
}

/** The members of a language: those that are not affected, and these. */
function place(
  plan: LoaderPlan,
  before: readonly StoredMember[],
  affected: ReadonlySet<number>,
  members: readonly Member[],
): StoredMember[] {
  const kept = before.filter(([id]) => !affected.has(id));
  const added = members.map((member) => storedMember(plan, member));
  const { order } = plan;
  if (!order) return [...kept, ...added];
  const compare = (a: StoredMember, b: StoredMember) => order(orderedItem(plan, a), orderedItem(plan, b));
  const after: StoredMember[] = [];
  let next = 0;
  for (const member of added.sort(compare)) {
    const end = firstAfter(kept, next, (other) => compare(other, member) > 0);
    for (; next < end; next++) after.push(kept[next] as StoredMember);
    after.push(member);
  }
  for (; next < kept.length; next++) after.push(kept[next] as StoredMember);
  return after;
}

/** The index of the first of these sorted values, from `start` on, for which `isAfter` is true. */
function firstAfter<T>(values: readonly T[], start: number, isAfter: (value: T) => boolean): number {
  let [low, high] = [start, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(values[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The affected members, and those that were or are next to an affected item. */
function withNeighbours(
  before: readonly StoredMember[],
  after: readonly StoredMember[],
  affected: ReadonlySet<number>,
): number[] {
  const near = new Set<number>();
  for (const members of [before, after]) {
    for (const [index, [id]] of members.entries()) {
      if (!affected.has(id)) continue;
      for (const member of members.slice(Math.max(0, index - 1), index + 2)) near.add(member[0]);
    }
  }
  return after.map(([id]) => id).filter((id) => near.has(id));
}

/** Reads what the entries of these members show, and their neighbours. */
async function readNeighbours(
  { order }: LoaderPlan,
  members: readonly StoredMember[],
  ids: readonly number[],
  read: (ids: ReadonlySet<number>, distance: number) => Promise<void>,
  distance: number,
): Promise<void> {
  if (!order) return;
  await read(new Set(ids), distance);
  const wanted = new Set(ids);
  const near = members.flatMap(([id], index) =>
    [index - 1, index + 1].some((one) => wanted.has(members[one]?.[0] ?? Number.NaN)) ? [id] : [],
  );
  await read(new Set(near), 0);
}

/** Reads what the backlinks of these items list. */
async function readBacklinks(
  { backlinks }: LoaderPlan,
  languageItems: LanguageItems,
  ids: ReadonlySet<number>,
  indexes: readonly ItemIndex[],
  read: (ids: ReadonlySet<number>, distance: number) => Promise<void>,
  distance: number,
): Promise<BacklinkIndex | undefined> {
  if (backlinks.length === 0) return undefined;
  const referrers = possibleReferrers(ids, backlinks, indexes);
  await read(referrers, distance);
  const items = [...referrers].flatMap((id) => languageItems.get(id) ?? []);
  return indexBacklinks(backlinks, languageItems, items);
}

function withoutItems(referrers: StoredReferrers = {}, ids: ReadonlySet<number>): StoredReferrers {
  return Object.fromEntries(Object.entries(referrers).filter(([id]) => !ids.has(Number(id))));
}

function makeEntries(
  options: EntryOptions,
  languageItems: LanguageItems,
  members: readonly StoredMember[],
  ids: readonly number[],
): Entry[] {
  const wanted = new Set(ids);
  const memberAt = (index: number): Member | undefined => {
    const member = members[index];
    return member && { id: member[1], item: languageItems.get(member[0]) as WireContent };
  };
  return members.flatMap(([id], index) => {
    if (!wanted.has(id)) return [];
    const neighbours = options.order ? ([memberAt(index - 1), memberAt(index + 1)] as const) : ([] as const);
    return createEntry(options, languageItems, memberAt(index) as Member, neighbours[0], neighbours[1]);
  });
}
