import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { isEmpty } from '../../models/field-types/field-type.ts';
import { pluralize } from '../../shared/format-count.ts';
import { type Examined, fieldsOfItem, referencedIds } from './examined.ts';
import { asAssumed, type Check, cannotBeSeen, differs, emulate } from './finding.ts';

export const VALUE_CHECKS: readonly Check[] = [
  {
    name: 'ids',
    assumption: 'content ids are numbers',
    effect: 'None: ids are converted, references where the model map declares them.',
    find({ api: { reader, items } }) {
      if (items.length === 0) return cannotBeSeen('there is no content');
      return reader.seen.sendsStringIds ? differs('ids are strings') : asAssumed('all ids are numbers');
    },
  },
  {
    name: 'empty values',
    assumption: "empty texts are `''`, empty lists `[]`, anything else `null`",
    effect: 'None: an empty value in any form, or none, is the same for the loader.',
    switches: ['emptyValues'],
    find({ api: { items } }) {
      const { typed, others, omitted } = countEmpties(items);
      const evidence = `${typed} fields with '' or [], ${others} texts or lists that are null, ${omitted} that items omit`;
      if (omitted > 0) return differs(evidence, emulate('emptyValues', 'omitted'));
      if (others > 0) return differs(evidence, emulate('emptyValues', 'null'));
      return typed > 0 ? asAssumed(evidence) : cannotBeSeen(evidence);
    },
  },
  {
    name: 'hidden targets',
    assumption: 'a reference to content that the key does not show is empty',
    effect: 'A reference without a declared model is the id of content that the site does not have.',
    switches: ['unseenTarget'],
    async find(examined) {
      const ids = await findUnseen(examined);
      if (ids.length > 0) {
        const evidence = `${pluralize(ids.length, 'reference')} to content that the key does not show`;
        return differs(evidence, emulate('unseenTarget', 'id'));
      }
      const empties = countEmptied(examined);
      if (empties === undefined) return cannotBeSeen('there is no LUID_DRAFT_API_KEY to compare with');
      const evidence = `${pluralize(empties, 'reference')} that only the key for drafts shows`;
      return empties > 0 ? asAssumed(evidence) : cannotBeSeen(evidence);
    },
  },
];

/** How many fields are empty in which form. The type of a field is that of its values in other items. */
function countEmpties(items: readonly WireContent[]) {
  const counts = { typed: 0, others: 0, omitted: 0 };
  for (const own of Map.groupBy(items, ({ _model }) => _model).values()) {
    for (const luid of new Set(own.flatMap((item) => fieldsOfItem(item).map(([name]) => name)))) {
      const values = own.map((item) => (Object.hasOwn(item, luid) ? item[luid] : undefined));
      const hasTextOrList = values.some((value) => typeof value === 'string' || Array.isArray(value));
      if (values.includes(undefined)) counts.omitted += 1;
      else if (hasTextOrList && values.includes(null) && !isDatetime(values)) counts.others += 1;
      else if (hasTextOrList && values.some(isEmpty)) counts.typed += 1;
    }
  }
  return counts;
}

/** Datetimes are strings too, but empty ones are `null`. */
function isDatetime(values: readonly unknown[]): boolean {
  return values.every(
    (value) => isEmpty(value) || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)),
  );
}

/** Referenced ids that the key shows in no language. */
async function findUnseen({ api: { reader, items }, languages }: Examined): Promise<number[]> {
  const known = new Set(items.map(({ _id }) => _id));
  let unknown = [...new Set(items.flatMap(referencedIds))]
    .filter((id) => !known.has(id))
    .slice(0, LIMITS.pageSize);
  for (const lang of [undefined, ...languages.keys()]) {
    if (unknown.length === 0) break;
    const { list } = await reader.probe({ '_id[in]': unknown.join(), lang, depth: 0, select: '_id' });
    if (!list) return [];
    const found = new Set(list.data.map(({ _id }) => _id));
    unknown = unknown.filter((id) => !found.has(id));
  }
  return unknown;
}

/** References of items without a draft that only the key for drafts shows, to content that only this key shows. */
function countEmptied({ api, drafts }: Examined): number | undefined {
  if (!drafts) return undefined;
  const hidden = new Set(drafts.items.flatMap(({ _id, _status }) => (_status === 'draft' ? _id : [])));
  const shown = new Map(api.items.map((item) => [item._id, item]));
  return drafts.items.flatMap((item) => {
    const published = shown.get(item._id);
    if (!published || item._status !== 'published') return [];
    const ids = new Set(referencedIds(published));
    return referencedIds(item).filter((id) => hidden.has(id) && !ids.has(id));
  }).length;
}
