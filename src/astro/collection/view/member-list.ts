import type { ListedReferrers } from '../../../entries/backlinks.ts';
import type { OrderKeys } from '../../../entries/query/order.ts';

/** An item that a collection contains, in one of its languages. */
export interface Member {
  /** The id of its entry. */
  readonly id: string;
  /** Content ID. */
  readonly itemId: number;
  /** The index of its language. */
  readonly language: number;
  /** What decides its place among neighbours. */
  readonly orderKeys: OrderKeys | undefined;
}

/** The members of a collection, and what is known of them without their content. */
export class MemberList<M extends Member = Member> {
  /** By language; in the order of neighbours, if the collection has one. */
  readonly byLanguage: readonly (readonly M[])[];
  /** Content IDs of items that are skipped, because they have no usable id or are invalid. */
  readonly skipped: ReadonlySet<number>;
  readonly #listed: readonly ListedReferrers[];
  #positions: readonly ReadonlyMap<number, number>[] | undefined;
  #byId: ReadonlyMap<string, M | readonly M[]> | undefined;

  constructor(
    byLanguage: readonly (readonly M[])[],
    skipped: ReadonlySet<number>,
    listed: readonly ListedReferrers[] = [],
  ) {
    this.byLanguage = byLanguage;
    this.skipped = skipped;
    this.#listed = listed;
  }

  /** By language: what backlinks list; empty without backlinks. */
  get listed(): readonly ListedReferrers[] {
    return this.#listed;
  }

  get all(): readonly M[] {
    return this.byLanguage.flat();
  }

  get size(): number {
    return this.byLanguage.reduce((sum, { length }) => sum + length, 0);
  }

  /** The members with an id. More than one is a mistake in the content. */
  find(id: string): readonly M[] {
    return asList(this.#index.get(id) ?? []);
  }

  /** The ids that several members have, with these. */
  get duplicates(): ReadonlyMap<string, readonly M[]> {
    const shared = [...this.#index].filter(([, found]) => !('itemId' in found));
    return new Map(shared.map(([id, found]) => [id, asList(found)]));
  }

  /** The member that is made of an item, in a language. */
  member(language: number, itemId: number): M | undefined {
    return this.#at(language, this.#positionOf(language, itemId));
  }

  /** Those that are made of these items, in all languages. */
  membersOf(itemIds: ReadonlySet<number>): M[] {
    return this.byLanguage.flatMap((_, language) =>
      [...itemIds].flatMap((id) => this.member(language, id) ?? []),
    );
  }

  /** Those that the entry of a member shows as its neighbours, before and after it. */
  neighboursOf({ language, itemId, orderKeys }: Member): readonly [M | undefined, M | undefined] {
    const position = this.#positionOf(language, itemId);
    if (orderKeys === undefined || position === undefined) return [undefined, undefined];
    return [this.#at(language, position - 1), this.#at(language, position + 1)];
  }

  get #index(): ReadonlyMap<string, M | readonly M[]> {
    this.#byId ??= byId(this.byLanguage);
    return this.#byId;
  }

  #at(language: number, position: number | undefined): M | undefined {
    return position === undefined ? undefined : this.byLanguage[language]?.[position];
  }

  #positionOf(language: number, itemId: number): number | undefined {
    this.#positions ??= this.byLanguage.map(
      (members) => new Map(members.map((member, position) => [member.itemId, position])),
    );
    return this.#positions[language]?.get(itemId);
  }
}

function asList<M extends Member>(found: M | readonly M[]): readonly M[] {
  return 'itemId' in found ? [found] : found;
}

/** Lists only where an id is not unique, because there may be many members. */
function byId<M extends Member>(byLanguage: readonly (readonly M[])[]): Map<string, M | readonly M[]> {
  const found = new Map<string, M | readonly M[]>();
  for (const members of byLanguage) {
    for (const member of members) {
      const others = found.get(member.id);
      found.set(member.id, others ? ([others, member].flat() as M[]) : member);
    }
  }
  return found;
}

/** A list of members as it is stored: columns, by language. */
export interface StoredMembers {
  readonly ids: readonly (readonly number[])[];
  readonly entryIds: readonly (readonly string[])[];
  /** Without the content ID, which is the last key of every order. Absent if the collection has no order. */
  readonly orders?: readonly (readonly OrderKeys[])[];
  readonly skipped: readonly number[];
  readonly listed: readonly ListedReferrers[];
}

export function storedMembers({ byLanguage, skipped, listed }: MemberList): StoredMembers {
  const keysOf = (member: Member) => member.orderKeys?.slice(0, -1) ?? [];
  const isOrdered = byLanguage.some(([first]) => first?.orderKeys);
  return {
    ids: byLanguage.map((members) => members.map(({ itemId }) => itemId)),
    entryIds: byLanguage.map((members) => members.map(({ id }) => id)),
    ...(isOrdered && { orders: byLanguage.map((members) => columnsOf(members.map(keysOf))) }),
    skipped: [...skipped],
    listed,
  };
}

export function restoreMembers({ ids, entryIds, orders, skipped, listed }: StoredMembers): MemberList {
  const byLanguage = ids.map((ofLanguage, language) =>
    ofLanguage.map((itemId, index) => ({
      id: entryIds[language]?.[index] ?? '',
      itemId,
      language,
      orderKeys: orders && [...(orders[language] ?? []).map((column) => column[index] ?? null), itemId],
    })),
  );
  return new MemberList(byLanguage, new Set(skipped), listed);
}

/** Rows of equal length as columns. */
function columnsOf(rows: readonly OrderKeys[]): OrderKeys[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));
}
