import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../../contract/content.ts';
import type { Entry } from '../../entries/collection.ts';
import { listedReferrers, type StoredReferrers } from './affected-backlinks.ts';
import type { LoaderPlan } from './loader-options.ts';

/** What the store contains, so that a later load knows which entries to make again. */
export interface StoredMembers {
  /** Equal as long as equal content becomes equal entries. */
  readonly configuration: string;
  /** The fingerprints of the replicas that the entries were made of. */
  readonly replicas: readonly string[];
  /** Per language of the collection: its entries, in the order of neighbours if there is one. */
  readonly languages: readonly (readonly StoredMember[])[];
  /** Per language: what the backlinks of its entries list. Absent if the collection has none. */
  readonly referrers?: readonly StoredReferrers[];
}

/** What is stored of the entries themselves. */
export type StoredEntries = Pick<StoredMembers, 'languages' | 'referrers'>;

/** The content ID and the entry id of a member, and the values that decide its place among neighbours. */
export type StoredMember = readonly [itemId: number, id: string, ...orderValues: unknown[]];

type Meta = Pick<LoaderContext['meta'], 'get' | 'set'>;
type Order = Pick<LoaderPlan, 'orderFields'>;
const KEY = 'astro-luid:members';

export function storedMember({ orderFields }: Order, { id, item }: Pick<Entry, 'id' | 'item'>): StoredMember {
  return [item._id, id, ...orderFields.map((luid) => item[luid] ?? null)];
}

/** The members of all entries of a collection. */
export function membersByLanguage(
  plan: Pick<LoaderPlan, 'rule' | 'orderFields'>,
  entries: readonly Entry[],
): StoredMember[][] {
  return byLanguage(plan, entries).map((own) => own.map((entry) => storedMember(plan, entry)));
}

/** What all entries of a collection list; nothing if it has no backlinks. */
export function referrersByLanguage(
  plan: Pick<LoaderPlan, 'rule' | 'backlinks'>,
  entries: readonly Entry[],
): Pick<StoredMembers, 'referrers'> {
  return plan.backlinks.length === 0 ? {} : { referrers: byLanguage(plan, entries).map(listedReferrers) };
}

function byLanguage({ rule: { lang, langs } }: Pick<LoaderPlan, 'rule'>, entries: readonly Entry[]) {
  const found = Map.groupBy(entries, ({ languageItems }) => languageItems.lang);
  return (langs ?? [lang]).map((one) => found.get(one) ?? []);
}

export function countMembers({ languages }: StoredMembers): number {
  return languages.reduce((sum, members) => sum + members.length, 0);
}

/** As much of a member's item as its place depends on. */
export function orderedItem({ orderFields }: Order, [_id, , ...values]: StoredMember): WireContent {
  return {
    ...Object.fromEntries(orderFields.map((luid, index) => [luid, values[index]])),
    _id,
  } as WireContent;
}

export function readMembers(meta: Meta): StoredMembers | undefined {
  const text = meta.get(KEY);
  return text ? (JSON.parse(text) as StoredMembers) : undefined;
}

/** `undefined`: the next load makes all entries again. */
export function storeMembers(meta: Meta, members: StoredMembers | undefined): void {
  meta.set(KEY, members ? JSON.stringify(members) : '');
}
