import type { WireContent } from '../../../contract/content.ts';
import type { BacklinkIndex, ListedReferrers } from '../../../entries/backlinks.ts';
import { createEntry, type Entry, neighbourOf } from '../../../entries/collection.ts';
import type { ItemWithoutId } from '../../../entries/entry-id.ts';
import type { FindInvalid } from '../../../entries/entry-shape.ts';
import { type LanguageContent, languageContent } from '../../../entries/language-content.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import type { InvalidItem } from '../../../entries/problems/invalid-item.ts';
import { compileOrder, type OrderKeys } from '../../../entries/query/order.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { Collection } from './collection.ts';
import { findBacklinks } from './find-backlinks.ts';
import {
  type ContentMember,
  type EarlierMembers,
  type FoundMembers,
  findMembers,
  memberShape,
} from './find-members.ts';
import { type RowShape, rowAt, rowShape } from './item-rows.ts';
import { MemberList } from './member-list.ts';
import { createTimeSlices } from './time-slices.ts';

/** The backlinks of some items. */
export interface SomeBacklinks {
  readonly targets: ReadonlySet<number>;
  /** What may refer to them, which has to be read. */
  readonly referrers: ReadonlySet<number>;
  /** What all items listed before; the others still do. */
  readonly listedBefore: readonly ListedReferrers[];
}

/** What a view is made of. */
interface ViewParts extends FoundMembers {
  readonly collection: Collection;
  readonly content: Content;
  readonly languageContent: LanguageContent;
  readonly shape: RowShape;
  readonly findInvalid: FindInvalid | undefined;
}

/**
 * A content, seen through the options of a collection: its members, and the entries that are made of them. Builds,
 * servers and previews make their entries from it.
 */
export class CollectionView extends MemberList<ContentMember> {
  readonly withoutId: readonly ItemWithoutId[];
  /** Items that are skipped because they cannot be shown. */
  readonly invalid: readonly InvalidItem[];
  readonly #parts: ViewParts;
  /** By language. */
  #backlinks: readonly BacklinkIndex[] = [];
  /** `undefined`: those of all members are known. */
  #some: SomeBacklinks | undefined;
  readonly #sorted = new Map<string, readonly ContentMember[]>();

  /**
   * Takes some seconds for 100,000 new items, and lets requests run meanwhile. From an earlier view, only what is
   * affected is looked at, so nothing else has to be read.
   */
  static async open(
    collection: Collection,
    content: Content,
    earlier?: EarlierMembers,
  ): Promise<CollectionView> {
    const { space, settings } = collection;
    const parts = {
      collection,
      content,
      languageContent: languageContent(space, settings.rule, content),
      shape: memberShape(collection),
      findInvalid: await collection.findInvalid(),
    };
    return new CollectionView({ ...parts, ...(await findMembers(parts, earlier)) });
  }

  private constructor(parts: ViewParts) {
    const skipped = [...parts.withoutId.map(({ item }) => item), ...parts.invalid.map(({ data }) => data)];
    super(parts.byLanguage, new Set(skipped.map(({ _id }) => _id)));
    this.withoutId = parts.withoutId;
    this.invalid = parts.invalid;
    this.#parts = parts;
  }

  /** The languages that entries are in. */
  get languages(): readonly LanguageItems[] {
    return this.#parts.languageContent.languages;
  }

  /** Finds what entries list as backlinks, which have to be known before entries are made: those of all, or some. */
  async findBacklinks(some?: SomeBacklinks): Promise<void> {
    const { collection, content } = this.#parts;
    if (collection.settings.backlinks.length === 0) return;
    const find = (languageItems: LanguageItems) =>
      findBacklinks(collection, content, languageItems, some?.referrers);
    this.#backlinks = await Promise.all(this.languages.map(find));
    this.#some = some;
  }

  override get listed(): readonly ListedReferrers[] {
    const some = this.#some;
    return this.#backlinks.map((backlinks, language) => {
      const members = this.byLanguage[language]?.map(({ itemId }) => itemId) ?? [];
      if (!some) return backlinks.listedBy(members);
      const before = Object.entries(some.listedBefore[language] ?? {});
      const kept = before.filter(
        ([id]) => !some.targets.has(Number(id)) && this.member(language, Number(id)),
      );
      const found = backlinks.listedBy(members.filter((id) => some.targets.has(id)));
      return { ...Object.fromEntries(kept), ...found };
    });
  }

  entryOf(member: ContentMember): Entry {
    const { collection, languageContent: content, findInvalid } = this.#parts;
    const { language, itemId: _id, id } = member;
    const languageItems = this.languages[language] as LanguageItems;
    const item = languageItems.get(_id) as WireContent;
    const backlinks = this.#backlinks[language];
    const references = collection.references();
    const options = { ...content, languageItems, references, backlinks, findInvalid };
    return createEntry(options, { id, item }, this.#neighbours(member));
  }

  /** All members in this order. Each order is sorted once. */
  async sorted(orderBy: string | readonly string[]): Promise<readonly ContentMember[]> {
    const key = JSON.stringify(orderBy);
    const known = this.#sorted.get(key);
    if (known) return known;
    const { space, settings } = this.#parts.collection;
    const { fields, keysOf, compare } = compileOrder(space.models, settings.model, orderBy);
    const shape = rowShape(space.models, settings.model, fields);
    const slice = createTimeSlices();
    for (const segment of new Set(this.all.map((member) => member.segment))) {
      segment.columns(shape.readers);
      await slice();
    }
    const keyed = this.all.map((member): [ContentMember, OrderKeys] => [
      member,
      keysOf(this.row(member, shape)),
    ]);
    const sorted = keyed.sort(([, a], [, b]) => compare(a, b)).map(([member]) => member);
    if (this.#sorted.size >= MAX_ORDERS) this.#sorted.delete(this.#sorted.keys().next().value as string);
    this.#sorted.set(key, sorted);
    return sorted;
  }

  row({ segment, index }: ContentMember, shape: RowShape): WireContent {
    return rowAt(segment, index, shape);
  }

  #neighbours(member: ContentMember) {
    const { collection, shape } = this.#parts;
    if (!collection.settings.order) return {};
    const shown = (one: ContentMember | undefined) =>
      neighbourOf(one && { id: one.id, item: this.row(one, shape) });
    const [previous, next] = this.neighboursOf(member);
    return { _prev: shown(previous), _next: shown(next) };
  }
}

/** Different orders that are kept per version. */
const MAX_ORDERS = 8;
