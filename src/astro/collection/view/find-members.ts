import type { WireContent } from '../../../contract/content.ts';
import { memberId } from '../../../entries/collection.ts';
import type { ItemWithoutId } from '../../../entries/entry-id.ts';
import type { FindInvalid } from '../../../entries/entry-shape.ts';
import type { LanguageContent } from '../../../entries/language-content.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import type { InvalidItem } from '../../../entries/problems/invalid-item.ts';
import type { Order } from '../../../entries/query/order.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { SegmentItems } from '../../../replica/content/segment-items.ts';
import { cacheItems } from './cache-items.ts';
import type { Collection } from './collection.ts';
import { type RowShape, rowAt, rowShape } from './item-rows.ts';
import type { Member, MemberList } from './member-list.ts';
import { shownSegments } from './shown-segments.ts';
import { createTimeSlices } from './time-slices.ts';

/** A member, and where its item is. */
export interface ContentMember extends Member {
  readonly segment: SegmentItems;
  readonly index: number;
}

/** The members of an earlier content, and the content IDs of everything that may differ since. */
export interface EarlierMembers {
  readonly before: MemberList;
  readonly affected: ReadonlySet<number>;
}

export interface FoundMembers {
  /** By language; in the order of neighbours, or else in that of the content. */
  readonly byLanguage: readonly (readonly ContentMember[])[];
  /** Items that have no usable id. */
  readonly withoutId: readonly ItemWithoutId[];
  /** Items that are skipped because they cannot be shown. */
  readonly invalid: readonly InvalidItem[];
}

interface MemberSource {
  readonly collection: Collection;
  readonly content: Content;
  readonly languageContent: LanguageContent;
  readonly shape: RowShape;
  readonly findInvalid: FindInvalid | undefined;
}

/** What ids, membership and neighbours depend on. An `id` function may depend on anything. */
export function memberShape({ space, settings, usesColumns }: Collection): RowShape {
  const { id } = settings.rule;
  const names = [
    ...(typeof id === 'string' ? [id] : []),
    ...settings.whereFields,
    ...(settings.order?.fields ?? []),
  ];
  const shape = rowShape(space.models, settings.model, names);
  return usesColumns && typeof id !== 'function' ? shape : { ...shape, needsItems: true };
}

/** Finds the members of a collection. What is not affected is still the member that it was, and need not be read. */
export async function findMembers(
  { collection: { space, settings }, content, languageContent, shape, findInvalid }: MemberSource,
  earlier: EarlierMembers | undefined,
): Promise<FoundMembers> {
  const { order } = settings;
  const slice = createTimeSlices();
  const found = { withoutId: [] as ItemWithoutId[], invalid: [] as InvalidItem[] };
  const byLanguage: ContentMember[][] = [];
  for (const [language, languageItems] of languageContent.languages.entries()) {
    const cached = cacheItems(languageItems);
    const members: ContentMember[] = [];
    for (const { segment, isShown } of shownSegments(space, settings.rule, content, languageItems)) {
      for (const [index, itemId] of segment.ids().entries()) {
        if (!isShown(itemId)) continue;
        if (earlier?.affected.has(itemId) === false) {
          const member = earlier.before.member(language, itemId);
          if (member) members.push({ ...member, segment, index });
          continue;
        }
        const row = shape.needsItems ? wholeItem(languageItems, itemId) : rowAt(segment, index, shape);
        const result = memberId(settings.rule, row, cached, findInvalid && wholeItems(findInvalid));
        if (!result) continue;
        if ('problem' in result) found.withoutId.push({ item: row, problem: result.problem });
        else if ('issues' in result) found.invalid.push(result);
        else members.push({ id: result.id, itemId, language, orderKeys: order?.keysOf(row), segment, index });
      }
      await slice();
    }
    byLanguage.push(order ? sortMembers(order, members, earlier?.before.byLanguage[language]) : members);
  }
  return { byLanguage, ...found };
}

/** From the order before, of which most is still right, sorting takes little more than one pass. */
function sortMembers(
  order: Order,
  members: readonly ContentMember[],
  before: readonly Member[] = [],
): ContentMember[] {
  const left = new Map(members.map((member) => [member.itemId, member]));
  const sorted: ContentMember[] = [];
  for (const { itemId } of before) {
    const member = left.get(itemId);
    if (member && left.delete(itemId)) sorted.push(member);
  }
  for (const member of left.values()) sorted.push(member);
  return sorted.sort((a, b) => order.compare(a.orderKeys ?? [], b.orderKeys ?? []));
}

function wholeItem(languageItems: LanguageItems, id: number): WireContent {
  return languageItems.get(id) as WireContent;
}

/** Members are found by rows, which have only some of an item's properties. */
function wholeItems(findInvalid: FindInvalid): FindInvalid {
  return (row, languageItems, shape) => findInvalid(wholeItem(languageItems, row._id), languageItems, shape);
}
