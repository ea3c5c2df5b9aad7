import type { WireContent } from '../../contract/content.ts';
import { RELIABLE_NEIGHBOURS } from '../../contract/limits.ts';
import { isEmpty } from '../../models/field-types/field-type.ts';
import { pluralize } from '../../shared/format-count.ts';
import { UNUSED_WORD } from '../survey/probe-operators.ts';
import { fieldsOfItem, type KeySample } from './examined.ts';
import { asAssumed, type Check, cannotBeSeen, differs, emulate } from './finding.ts';
import type { ServiceReader } from './service-reader.ts';

const ONE = { limit: 1, depth: 0, select: '_id' } as const;
/** Of fewer tied items, a random order may look like a rule. */
const MIN_TIES = 4;
const TIE_READS = 3;
const MAX_CANDIDATES = 5;

export const LIST_CHECKS: readonly Check[] = [
  {
    name: 'unknown model',
    assumption: 'an unknown model in `model` matches nothing',
    effect:
      'Once a declared model is removed from the service, builds fail until it is removed from the map.',
    switches: ['unknownModel'],
    async find({ api: { reader } }) {
      const { status, list } = await reader.probe({ ...ONE, model: UNUSED_WORD });
      if (list?.total === 0) return asAssumed('a list of an unknown model is empty');
      if (list) return differs(`a list of an unknown model has ${pluralize(list.total, 'item')}`);
      return differs(`an unknown model is a ${status}`, emulate('unknownModel', 'error'));
    },
  },
  {
    name: 'unknown field',
    assumption: 'a filter on a field that no model has is a 400',
    effect:
      'None for builds, which filter by themselves; queries of the client do not report misspelled fields.',
    switches: ['unknownField'],
    async find({ api: { reader, total } }) {
      const { status, list } = await reader.probe({ ...ONE, [`${UNUSED_WORD}[eq]`]: '1' });
      if (status === 400) return asAssumed('an unknown field is a 400');
      if (!list) return differs(`an unknown field is a ${status}`);
      if (total === 0) return cannotBeSeen('there is no content');
      if (list.total === 0) return differs('a filter on an unknown field matches nothing');
      return differs('a filter on an unknown field is ignored', emulate('unknownField', 'ignore'));
    },
  },
  {
    name: 'unknown language',
    assumption: 'an unknown language in `lang` is a 400',
    effect: 'A misspelled language in `languages` gives wrong or empty collections instead of an error.',
    async find({ api: { reader } }) {
      const { status, list } = await reader.probe({ ...ONE, lang: UNUSED_WORD });
      if (status === 400) return asAssumed('an unknown language is a 400');
      const items = list ? ` with ${pluralize(list.total, 'item')}` : '';
      return differs(`an unknown language is a ${status}${items}`);
    },
  },
  {
    name: 'order of ties',
    assumption: 'items with equal sort values are ordered by id',
    effect: 'None: the loader orders by time and id, and reads pages again that do not fit together.',
    switches: ['tieOrder'],
    async find({ api: { reader, items } }) {
      const order = orderWithTies(items);
      if (!order) return cannotBeSeen(`no ${MIN_TIES} items with an equal model or time`);
      const reads: WireContent[][] = [];
      for (let count = 0; count < TIE_READS; count++) {
        const list = await readOrdered(reader, order);
        if (!list) return cannotBeSeen(`the service does not order by \`${order}\``);
        reads.push(list);
      }
      // What was created or deleted meanwhile is in some of them only.
      const inAll = (item: WireContent) => reads.every((read) => read.some(({ _id }) => _id === item._id));
      return describeTies(reads.map((read) => tiesOf(read.filter(inAll), order)));
    },
  },
  {
    name: 'order by id',
    assumption: '`_id` orders items whose times are equal',
    effect:
      'Pages are read in an order by time only, and again where they do not fit together: more requests.',
    async find({ api: { reader, items } }) {
      const order = orderWithTies(items) ?? '_created_at';
      const list = await readOrdered(reader, `${order},_id`);
      if (!list) return differs('ordering by `_id` is refused');
      const ties = tiesOf(list, order).filter((ids) => ids.length >= MIN_TIES);
      if (ties.length === 0) return cannotBeSeen('no ties among the items');
      if (ties.every(isAscending))
        return asAssumed(`${pluralize(ties.flat().length, 'tied item')} in the order of their ids`);
      return differs('tied items are not in the order of their ids');
    },
  },
  {
    name: 'order of empty values',
    assumption: 'empty values are last in ascending order',
    effect: 'None for builds, which order by themselves; lists of the client begin with other items.',
    async find({ api, drafts }) {
      for (const { reader, model, luid, smaller } of emptyCandidates([api, ...(drafts ? [drafts] : [])])) {
        const { list } = await reader.probe({ ...ONE, model, order: luid, select: luid });
        const [first] = list?.data ?? [];
        if (!first) continue;
        const evidence = `in an order by a field that ${pluralize(smaller, 'item')} lack`;
        if (isEmpty(first[luid])) return differs(`empty values are first ${evidence}`);
        return asAssumed(`empty values are not first ${evidence}`);
      }
      return cannotBeSeen('no text field that is empty in some items');
    },
  },
  {
    name: 'neighbours',
    assumption: '`_prev` and `_next` are right in lists of any length',
    effect: 'None: the loader finds neighbours in its copy of the content.',
    switches: ['wrongNeighbours'],
    async find({ api: { reader, total } }) {
      if (total <= RELIABLE_NEIGHBOURS._prev) {
        return cannotBeSeen(`they are reliable up to ${RELIABLE_NEIGHBOURS._prev} items; there are ${total}`);
      }
      const order = '_created_at,_id';
      const { list } = await reader.probe({ depth: 0, select: '_id', order, limit: 3 });
      const [before, item, after] = list?.data ?? [];
      const found =
        item &&
        (await reader.get(item._id, {
          depth: 0,
          select: '_id,_prev._id,_next._id',
          order,
          include: '_prev,_next',
        }));
      if (!found) return cannotBeSeen('the second item of a list was not readable');
      const isRight = idOf(found._prev) === before?._id && idOf(found._next) === after?._id;
      if (isRight) return asAssumed(`those of the second of ${total} items are right`);
      return differs(`those of the second of ${total} items are wrong`, emulate('wrongNeighbours', true));
    },
  },
];

const idOf = (value: unknown) => (value as Partial<WireContent> | null | undefined)?._id;

/** A property of which several items have the same value. */
function orderWithTies(items: readonly WireContent[]): '_model' | '_created_at' | undefined {
  const has = (property: '_model' | '_created_at') =>
    [...Map.groupBy(items, (item) => item[property]).values()].some((tied) => tied.length >= MIN_TIES);
  return (['_model', '_created_at'] as const).find(has);
}

async function readOrdered(reader: ServiceReader, order: string): Promise<WireContent[] | undefined> {
  const unique = await reader.bypassCdn();
  const { list } = await reader.probe({
    ...unique,
    order,
    depth: 0,
    limit: 100,
    select: '_id,_model,_created_at',
  });
  return list?.data;
}

/** The ids of each group of tied items, as they were returned. */
function tiesOf(items: readonly WireContent[], order: '_model' | '_created_at'): number[][] {
  return [...Map.groupBy(items, (item) => item[order]).values()].map((tied) => tied.map(({ _id }) => _id));
}

const isAscending = (ids: readonly number[]) =>
  ids.every((id, index) => index === 0 || (ids[index - 1] as number) < id);

function describeTies(reads: readonly (readonly number[][])[]) {
  const groups = reads.flat().filter((ids) => ids.length >= MIN_TIES);
  if (groups.length === 0) return cannotBeSeen('no ties among the first items');
  const evidence = `among ${pluralize(Math.max(...groups.map((ids) => ids.length)), 'tied item')}`;
  if (groups.every(isAscending)) return asAssumed(`ids ascend ${evidence}`);
  if (groups.every((ids) => isAscending(ids.toReversed()))) {
    return differs(`ids descend ${evidence}`, emulate('tieOrder', 'reverse'));
  }
  const orders = new Set(reads.map((read) => JSON.stringify(read)));
  if (orders.size > 1)
    return differs(`another order in each request ${evidence}`, emulate('tieOrder', 'shuffled'));
  return differs(`the same order in each request, but not that of ids, ${evidence}`);
}

/** Fields that are empty in some items of a model, and short strings in others. */
function emptyCandidates(samples: readonly KeySample[]) {
  return samples
    .flatMap(({ reader, items }) =>
      [...Map.groupBy(items, ({ _model }) => _model)].flatMap(([model, own]) =>
        stringFields(own).flatMap((luid) => {
          const smaller = own.filter((item) => isEmpty(item[luid])).length;
          return smaller > 0 && smaller < own.length ? [{ reader, model, luid, smaller }] : [];
        }),
      ),
    )
    .slice(0, MAX_CANDIDATES);
}

/** Fields whose values are strings. */
function stringFields(items: readonly WireContent[]): string[] {
  const fields = items.flatMap(fieldsOfItem);
  return [
    ...new Set(fields.flatMap(([luid, value]) => (typeof value === 'string' && value !== '' ? luid : []))),
  ];
}
