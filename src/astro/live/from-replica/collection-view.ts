import type { WireContent } from '../../../contract/content.ts';
import type { BacklinkIndex } from '../../../entries/backlinks.ts';
import {
  type CollectionRule,
  createEntry,
  type Entry,
  type Member,
  memberId,
  type ReferencedCollection,
} from '../../../entries/collection.ts';
import type { EntryIdResult, ItemWithoutId } from '../../../entries/entry-id.ts';
import { itemForId } from '../../../entries/existing-references.ts';
import { type LanguageContent, languageContent } from '../../../entries/language-content.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import { compileOrderKeys, type OrderKeys } from '../../../entries/order.ts';
import type { FieldsBase } from '../../../models/field-types/field-type.ts';
import { visitReferences } from '../../../models/walk.ts';
import type { SegmentItems } from '../../../replica/memory/segment-items.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { LoaderPlan } from '../../loader/loader-options.ts';
import { cacheItems } from './cache-items.ts';
import type { ContentVersion } from './content-version.ts';
import { type RowShape, rowAt, rowShape } from './item-rows.ts';
import { segmentsOf } from './language-segments.ts';
import { openLiveBacklinks } from './live-backlinks.ts';
import { createTimeSlices } from './time-slices.ts';

/** A live collection: the same options as those of a loader. */
export interface LiveCollection {
  readonly space: Pick<SpaceCore, 'models' | 'settings'>;
  readonly plan: LoaderPlan;
  /** Unique in the process; `undefined` if it is for one request, so that nothing may be kept of it. */
  readonly key: string | undefined;
  /** The collections that references lead to, by field. */
  readonly references: () => ReadonlyMap<string, ReferencedCollection>;
}

/** An item that a collection contains, before it is parsed. */
export interface LiveMember {
  /** The id of its entry. */
  readonly id: string;
  readonly itemId: number;
  /** The index of its language. */
  readonly language: number;
  readonly segment: SegmentItems;
  readonly index: number;
}

/** The entries of a collection in one version of the content. */
export interface CollectionView {
  readonly members: readonly LiveMember[];
  readonly withoutId: readonly ItemWithoutId[];
  /** The languages that entries are in. */
  readonly languages: readonly LanguageItems[];
  /** The members with an id. More than one is a mistake in the content. */
  find(id: string): readonly LiveMember[];
  entryOf(member: LiveMember): Entry;
  /** The members that are made of these items, in all languages. */
  membersOf(itemIds: ReadonlySet<number>): readonly LiveMember[];
  /** Those that an entry shows as its neighbours. */
  neighboursOf(member: LiveMember): readonly LiveMember[];
  /** All members in this order. Each order is sorted once. */
  sorted(orderBy: string | readonly string[]): Promise<readonly LiveMember[]>;
  row(member: LiveMember, shape: RowShape): WireContent;
}

/** Finds the members of a collection. Takes some seconds for 100,000 new items, and lets requests run meanwhile. */
export async function openCollectionView(
  collection: LiveCollection,
  version: ContentVersion,
): Promise<CollectionView> {
  const { space, plan } = collection;
  const content = await languageContent(space, plan.rule, version, (replica) => replica);
  const shape = memberShape(collection);
  const slice = createTimeSlices();
  const members: LiveMember[] = [];
  const withoutId: ItemWithoutId[] = [];
  const backlinks: (BacklinkIndex | undefined)[] = [];
  for (const [language, languageItems] of content.languages.entries()) {
    const cached = cacheItems(languageItems);
    const rule = { ...plan.rule, id: shape.idRuleIn(cached) };
    for (const { segment, isShown } of segmentsOf(space, plan.rule, version, languageItems)) {
      for (const [index, id] of segment.ids().entries()) {
        if (!isShown(id)) continue;
        const row = rowAt(segment, index, shape);
        const result: EntryIdResult | undefined = memberId(rule, row, cached);
        if (!result) continue;
        if ('problem' in result) withoutId.push({ item: row, problem: result.problem });
        else members.push({ id: result.id, itemId: id, language, segment, index });
      }
      await slice();
    }
    backlinks.push(await openLiveBacklinks(space, plan, version, languageItems));
  }
  return new View(collection, content, members, withoutId, shape, backlinks);
}

class View implements CollectionView {
  readonly members: readonly LiveMember[];
  readonly withoutId: readonly ItemWithoutId[];
  readonly languages: readonly LanguageItems[];
  readonly #collection: LiveCollection;
  readonly #content: LanguageContent;
  readonly #shape: RowShape;
  /** By language. */
  readonly #backlinks: readonly (BacklinkIndex | undefined)[];
  readonly #byId = new Map<string, LiveMember>();
  /** All members whose id is not unique. */
  readonly #duplicates = new Map<string, LiveMember[]>();
  #byItem: ReadonlyMap<number, readonly LiveMember[]> | undefined;
  /** By language: the members in the order of neighbours. */
  readonly #neighbours: readonly (readonly LiveMember[])[];
  readonly #positions = new Map<LiveMember, number>();
  readonly #sorted = new Map<string, readonly LiveMember[]>();

  constructor(
    collection: LiveCollection,
    content: LanguageContent,
    members: readonly LiveMember[],
    withoutId: readonly ItemWithoutId[],
    shape: RowShape,
    backlinks: readonly (BacklinkIndex | undefined)[],
  ) {
    this.#collection = collection;
    this.languages = content.languages;
    this.#content = content;
    this.members = members;
    this.withoutId = withoutId;
    this.#shape = shape;
    this.#backlinks = backlinks;
    for (const member of members) this.#addById(member);
    const { orderBy } = collection.plan;
    this.#neighbours =
      orderBy === undefined
        ? []
        : content.languages.map((_, language) =>
            this.#sort(
              members.filter((member) => member.language === language),
              orderBy,
              shape,
            ),
          );
    for (const list of this.#neighbours) {
      for (const [position, member] of list.entries()) this.#positions.set(member, position);
    }
  }

  find(id: string): readonly LiveMember[] {
    const member = this.#byId.get(id);
    return this.#duplicates.get(id) ?? (member ? [member] : []);
  }

  entryOf(member: LiveMember): Entry {
    const { plan, references } = this.#collection;
    const languageItems = this.languages[member.language] as LanguageItems;
    const item = languageItems.get(member.itemId) as WireContent;
    const list = this.#neighbours[member.language];
    const at = this.#positions.get(member) ?? 0;
    return createEntry(
      {
        ...this.#content,
        order: plan.order,
        references: references(),
        backlinks: this.#backlinks[member.language],
      },
      languageItems,
      { id: member.id, item },
      this.#neighbour(list?.[at - 1]),
      this.#neighbour(list?.[at + 1]),
    );
  }

  membersOf(itemIds: ReadonlySet<number>): readonly LiveMember[] {
    this.#byItem ??= Map.groupBy(this.members, ({ itemId }) => itemId);
    return [...itemIds].flatMap((id) => this.#byItem?.get(id) ?? []);
  }

  neighboursOf(member: LiveMember): readonly LiveMember[] {
    const list = this.#neighbours[member.language] ?? [];
    const at = this.#positions.get(member);
    if (at === undefined) return [];
    return [list[at - 1], list[at + 1]].filter((one) => one !== undefined);
  }

  async sorted(orderBy: string | readonly string[]): Promise<readonly LiveMember[]> {
    const key = JSON.stringify(orderBy);
    const known = this.#sorted.get(key);
    if (known) return known;
    const { space, plan } = this.#collection;
    const shape = rowShape(space.models, plan.model, orderTerms(orderBy));
    const slice = createTimeSlices();
    for (const segment of new Set(this.members.map((member) => member.segment))) {
      segment.columns(shape.readers);
      await slice();
    }
    const sorted = this.#sort(this.members, orderBy, shape);
    if (this.#sorted.size >= MAX_ORDERS) this.#sorted.delete(this.#sorted.keys().next().value as string);
    this.#sorted.set(key, sorted);
    return sorted;
  }

  row(member: LiveMember, shape: RowShape): WireContent {
    return rowAt(member.segment, member.index, shape);
  }

  #addById(member: LiveMember): void {
    const first = this.#byId.get(member.id);
    if (!first) {
      this.#byId.set(member.id, member);
      return;
    }
    const same = this.#duplicates.get(member.id) ?? [first];
    this.#duplicates.set(member.id, [...same, member]);
  }

  #neighbour(member: LiveMember | undefined): Member | undefined {
    return member && { id: member.id, item: this.row(member, this.#shape) };
  }

  #sort(
    members: readonly LiveMember[],
    orderBy: string | readonly string[],
    shape: RowShape,
  ): readonly LiveMember[] {
    const { space, plan } = this.#collection;
    const { keysOf, compare } = compileOrderKeys(space.models, plan.model, orderBy);
    const keyed = members.map((member): [LiveMember, OrderKeys] => [member, keysOf(this.row(member, shape))]);
    return keyed.sort(([, a], [, b]) => compare(a, b)).map(([member]) => member);
  }
}

/** Different orders that are kept per version. */
const MAX_ORDERS = 8;

export function orderTerms(orderBy: string | readonly string[]): string[] {
  const terms = typeof orderBy === 'string' ? orderBy.split(',') : orderBy;
  return terms.map((term) => term.replace(/^-/, ''));
}

/**
 * What ids, membership and neighbours depend on. The results of an `id` function are a column, which later versions of
 * the content use too; for an item with a reference that leads nowhere in a version, the function is called again.
 */
function memberShape({ space, plan, key }: LiveCollection): RowShape & {
  readonly idRuleIn: (languageItems: LanguageItems) => CollectionRule['id'];
} {
  const { id } = plan.rule;
  const names = [...(typeof id === 'string' ? [id] : []), ...plan.whereFields, ...plan.orderFields];
  const shape = rowShape(space.models, plan.model, names);
  if (typeof id !== 'function' || shape.needsItems) return { ...shape, idRuleIn: () => id };
  if (key === undefined) return { ...shape, needsItems: true, idRuleIn: () => id };
  const { fields } = plan.rule;
  // No LUID contains a space.
  const column = `id of ${key}`;
  const references = 'all references';
  return {
    ...shape,
    readers: [
      ...shape.readers,
      { key: column, read: id },
      { key: references, read: (item) => referencesOf(fields, item) },
    ],
    idRuleIn: (languageItems) => (row) => {
      const areAllThere = (row[references] as readonly number[]).every((target) => languageItems.has(target));
      const item = areAllThere ? undefined : languageItems.get(row._id);
      return item ? id(itemForId(fields, id, item, languageItems)) : (row[column] as string);
    },
  };
}

function referencesOf(fields: FieldsBase, item: WireContent): number[] {
  const found: number[] = [];
  visitReferences(fields, item, ({ value }) => {
    if (typeof value === 'number') found.push(value);
  });
  return found;
}
