import type { WireContent } from '../../contract/content.ts';
import { type TimeProperty, timeOf } from '../../contract/item-times.ts';
import { isEmpty } from '../../models/field-types/field-type.ts';
import { pluralize } from '../../shared/format-count.ts';
import { pickEvenly } from '../survey/find-languages.ts';
import { fieldsOfItem } from './examined.ts';
import { asAssumed, type Check, cannotBeSeen, differs, emulate, type Finding } from './finding.ts';
import type { ServiceReader } from './service-reader.ts';

const EXACT = 'Syncs find changes by this filter: they fail, or miss changes until the next full read.';
/** How many fields are tried: only those of some types have `eq`. */
const MAX_CANDIDATES = 6;
/** Longer values are no single-line text, and make long URLs. */
const MAX_OPERAND = 80;

export const FILTER_CHECKS: readonly Check[] = [
  {
    name: 'filter by id',
    assumption: '`_id[in]` returns exactly the items with these ids',
    effect: 'References to content that was hidden cannot be read again: syncs fail.',
    async find({ api: { reader, items } }) {
      const ids = pickEvenly(items, 4).map(({ _id }) => _id);
      if (ids.length === 0) return cannotBeSeen('there is no content');
      const { status, list } = await reader.probe({ '_id[in]': ids.join(), depth: 0, select: '_id' });
      if (!list) return differs(`the filter is a ${status}`);
      const found = new Set(list.data.map(({ _id }) => _id));
      const evidence = `${pluralize(found.size, 'item')} for ${pluralize(ids.length, 'id')}`;
      return found.size === ids.length && ids.every((id) => found.has(id))
        ? asAssumed(evidence)
        : differs(evidence);
    },
  },
  {
    name: 'filter by update time',
    assumption: '`_updated_at[gte]` matches exactly the items of this time or later',
    effect: EXACT,
    find: ({ api: { reader } }) => compareCounts(reader, '_updated_at'),
  },
  {
    name: 'filter by creation time',
    assumption: '`_created_at[gte]` matches exactly the items of this time or later',
    effect: EXACT,
    find: ({ api: { reader } }) => compareCounts(reader, '_created_at'),
  },
  {
    name: 'filter by publication time',
    assumption: '`_last_published_at[gte]` matches exactly the items of this time or later',
    effect: EXACT,
    find: ({ api: { reader } }) => compareCounts(reader, '_last_published_at'),
  },
  {
    name: 'filters and drafts',
    assumption: 'filters compare the data that the key shows',
    effect: 'None for builds, which filter by themselves; queries of the client find items by hidden drafts.',
    switches: ['defectStatusFilter'],
    async find({ api, drafts }) {
      if (!drafts) return cannotBeSeen('there is no LUID_DRAFT_API_KEY to know a draft by');
      const shown = new Map(api.items.map((item) => [item._id, item]));
      const candidates = drafts.items.flatMap((draft) => {
        const published = shown.get(draft._id);
        if (!published) return [];
        return operandsOf(draft).filter(({ luid, value }) => published[luid] !== value);
      });
      return matchOperands(api.reader, candidates, {}, (isMatched, evidence) =>
        isMatched
          ? differs(
              `the value of a draft finds the published item, ${evidence}`,
              emulate('defectStatusFilter', true),
            )
          : asAssumed(`the value of a draft does not find the published item, ${evidence}`),
      );
    },
  },
  {
    name: 'filters in other languages',
    assumption: 'filters compare the data of the requested language',
    effect:
      'None for builds, which filter by themselves; queries of the client find items by another language.',
    switches: ['defectUntranslatedFilter'],
    async find({ api: { reader, items }, languages }) {
      const shown = new Map(items.map((item) => [item._id, item]));
      for (const [lang, { data }] of languages) {
        const candidates = data.flatMap((translated) => {
          const main = shown.get(translated._id);
          return main ? operandsOf(main).filter(({ luid }) => isEmpty(translated[luid])) : [];
        });
        const finding = await matchOperands(reader, candidates, { lang }, (isMatched, evidence) =>
          isMatched
            ? differs(
                `the value of the main language finds an item that has none, ${evidence}`,
                emulate('defectUntranslatedFilter', true),
              )
            : asAssumed(`the value of the main language does not find an item that has none, ${evidence}`),
        );
        if (finding.verdict !== 'cannot be seen') return finding;
      }
      return cannotBeSeen('no item with a text that is empty in another language only');
    },
  },
];

/** Compares the count of a filter by time with the newest items. What is edited meanwhile is read once more. */
async function compareCounts(reader: ServiceReader, by: TimeProperty): Promise<Finding> {
  const first = await compareCountsOnce(reader, by);
  return first.verdict === 'differs' ? compareCountsOnce(reader, by) : first;
}

async function compareCountsOnce(reader: ServiceReader, by: TimeProperty): Promise<Finding> {
  // Empty times may be first; a filter that all others match excludes them.
  const all = { [`${by}[gte]`]: new Date(0).toISOString(), ...(await reader.bypassCdn()), depth: 0 };
  const { status, list } = await reader.probe({ ...all, order: `-${by}`, limit: 100, select: `_id,${by}` });
  if (!list) return differs(`the filter is a ${status}`);
  const times = list.data.map((item) => timeOf(item, by));
  const since = times[Math.floor(times.length / 2)];
  if (since === undefined || !Number.isFinite(since)) return cannotBeSeen('no item has such a time');
  // The first of those that are not in the page may have the same time.
  if (list.total > times.length && times.at(-1) === since) return cannotBeSeen('too many items of one time');
  const expected = times.filter((time) => time >= since).length;
  const filter = { [`${by}[gte]`]: new Date(since).toISOString() };
  const counted = await reader.probe({ ...all, ...filter, limit: 1, select: '_id' });
  const evidence = `${counted.list?.total ?? 'no'} of ${expected} items since a time`;
  return counted.list?.total === expected ? asAssumed(evidence) : differs(evidence);
}

interface Operand {
  readonly item: WireContent;
  readonly luid: string;
  readonly value: string;
}

/** The fields of an item that a filter by `eq` may have. */
function operandsOf(item: WireContent): Operand[] {
  return fieldsOfItem(item).flatMap(([luid, value]) =>
    typeof value === 'string' && value !== '' && value.length <= MAX_OPERAND && !/[\r\n<]/.test(value)
      ? [{ item, luid, value }]
      : [],
  );
}

/** Whether a filter by one of the values finds its item. */
async function matchOperands(
  reader: ServiceReader,
  candidates: readonly Operand[],
  parameters: { readonly lang?: string },
  describe: (isMatched: boolean, evidence: string) => Finding,
): Promise<Finding> {
  let matched: boolean | undefined;
  let tried = 0;
  // One per field: its type decides whether the filter is accepted.
  const fields = Map.groupBy(candidates, ({ item, luid }) => `${item._model}.${luid}`);
  for (const [operand] of [...fields.values()].slice(0, MAX_CANDIDATES)) {
    if (!operand) continue;
    const { item, luid, value } = operand;
    const query = { ...parameters, model: item._model, [`${luid}[eq]`]: value, depth: 0, select: '_id' };
    const { list } = await reader.probe(query);
    if (!list) continue;
    tried += 1;
    matched = (matched ?? false) || list.data.some(({ _id }) => _id === item._id);
  }
  if (matched === undefined) return cannotBeSeen('no item whose data differs in a short text');
  return describe(matched, `in ${pluralize(tried, 'filter')}`);
}
