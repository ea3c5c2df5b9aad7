import fc from 'fast-check';
import {
  GROUP_FIELDS,
  IDS,
  MISSING_ID,
  MIXED,
  MODEL_FIELDS,
  MOMENTS,
  OPTIONS,
  TEXTS,
} from './random-fields.ts';
import { KEYS, LANGUAGES, MODELS, SPACES } from './random-seed.ts';
import type { Question } from './read.ts';

type Pair = [name: string, value: string];

const OPERATORS = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'has'];
const SYSTEM_TYPES: Pair[] = [
  ['_id', 'reference'],
  ['_model', 'select'],
  ['_title', 'text'],
  ['_created_at', 'datetime'],
  ['_updated_at', 'datetime'],
  ['_published_at', 'datetime'],
  ['_last_published_at', 'datetime'],
  ['_status', 'select'],
  ['_space', 'select'],
];

type Fields = typeof MODEL_FIELDS;
const typed = (prefix: string, fields: Fields): Pair[] =>
  fields.map(({ luid, field }) => [`${prefix}${luid}`, field.type]);

/** Paths with the type that they lead to. */
const FIELDS = typed('', MODEL_FIELDS);
const IN_SET = typed('g.', GROUP_FIELDS);
const IN_REPEAT = typed('x.', GROUP_FIELDS);
const IN_REFERENCES = ['r.', 'o.'].flatMap((prefix) => typed(prefix, MODEL_FIELDS));
const IN_SOME_MODELS = ['', 'r.'].flatMap((prefix) => typed(prefix, MIXED));
const NOWHERE: Pair[] = [
  ...['nope', 'nope.t', 't.nope', 'g.nope', 'r.nope', 'k.t', 'k.hero.t', 'x.r.t', 'p.url'],
].map((path) => [path, 'text']);

const join = (names: fc.Arbitrary<string>, maxLength = 3) =>
  fc.array(names, { minLength: 1, maxLength }).map((all) => all.join(','));
const usually = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 15) =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: other, weight: 1 });
const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
const ids = fc.constantFrom(...IDS, MISSING_ID).map(String);

/** For each type the operators that it allows, with operands that may find something. */
const FITTING: Record<string, fc.Arbitrary<Pair>> = {
  ...Object.fromEntries(['text', 'multiline'].map((type) => [type, textCondition()])),
  flexible_text: fc.tuple(fc.constant('contains'), join(oneOf(['a', 'B', 'zeta', 'word', 'class']))),
  boolean: fc.tuple(fc.constant('eq'), oneOf(['true', 'false'])),
  select: fc.oneof(
    fc.tuple(fc.constant('eq'), oneOf(['', ...OPTIONS, ...MODELS, ...SPACES, 'published', 'draft'])),
    fc.tuple(
      fc.constant('in'),
      join(oneOf([...OPTIONS, ...MODELS, ...SPACES, 'published', 'published_draft'])),
    ),
  ),
  multi_select: fc.tuple(fc.constant('has'), oneOf([...OPTIONS, 'four', 'tw', 'one,two'])),
  datetime: fc.tuple(
    oneOf(['lt', 'lte', 'gt', 'gte']),
    oneOf([...MOMENTS, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.500Z', '2025-06-25T23:59:59Z']),
  ),
  reference: fc.oneof(fc.tuple(fc.constant('eq'), ids), fc.tuple(fc.constant('in'), join(ids))),
};

/** Inside a repeat there is only `eq`. */
const FITTING_IN_REPEAT: Record<string, fc.Arbitrary<Pair>> = {
  ...Object.fromEntries(
    ['text', 'multiline'].map((type) => [type, fc.tuple(fc.constant('eq'), oneOf(['', ...TEXTS]))]),
  ),
  boolean: fc.tuple(fc.constant('eq'), oneOf(['true', 'false'])),
  select: fc.tuple(fc.constant('eq'), oneOf(OPTIONS)),
  reference: fc.tuple(fc.constant('eq'), ids),
};

function textCondition(): fc.Arbitrary<Pair> {
  return fc.oneof(
    fc.tuple(fc.constant('eq'), oneOf(['', ...TEXTS, 'a\r\nb'])),
    fc.tuple(fc.constant('in'), join(oneOf(TEXTS))),
    fc.tuple(fc.constant('contains'), join(oneOf(['a', 'b', 'WORD', '', 'あ', 'q']))),
  );
}

const anyCondition: fc.Arbitrary<Pair> = fc.tuple(
  oneOf([...OPERATORS, 'like', '']),
  oneOf([
    'a',
    'true',
    'one',
    '3',
    'x',
    ...MOMENTS,
    '2026-05-01',
    '2026-02-30T00:00:00Z',
    '2026-05-01T00:00:00',
  ]),
);

const filterable = (paths: Pair[]) => paths.filter(([, type]) => Object.hasOwn(FITTING, type));
const comparable = (paths: Pair[]) => paths.filter(([, type]) => Object.hasOwn(FITTING_IN_REPEAT, type));

/** A condition that the service takes, if the models have the field. */
const soundFilter = fc.oneof(
  conditionOn([...SYSTEM_TYPES, ...filterable(FIELDS)], FITTING),
  conditionOn([...filterable(IN_SET), ...filterable(IN_REFERENCES)], FITTING),
  conditionOn(comparable(IN_REPEAT), FITTING_IN_REPEAT),
);
/** A condition that it may refuse. */
const anyFilter = fc.oneof(
  conditionOn(filterable(IN_SOME_MODELS), FITTING),
  conditionOn(NOWHERE, FITTING),
  fc
    .tuple(
      fc.constantFrom(...SYSTEM_TYPES, ...FIELDS, ...IN_SET, ...IN_REPEAT, ...IN_REFERENCES),
      anyCondition,
    )
    .map(([[path], [operator, operand]]): Pair => [`${path}[${operator}]`, operand]),
);

function conditionOn(paths: Pair[], fitting: Record<string, fc.Arbitrary<Pair>>): fc.Arbitrary<Pair> {
  return fc
    .constantFrom(...paths)
    .chain(([path, type]) =>
      fitting[type]!.map(([operator, operand]): Pair => [`${path}[${operator}]`, operand]),
    );
}

// `mixed` has no order over models that have it in different types.
const order = join(
  fc
    .tuple(
      oneOf(['', '-']),
      usually(
        oneOf([
          ...SYSTEM_TYPES.map(([path]) => path),
          ...[
            't',
            'u',
            'l',
            'b',
            's',
            'd',
            '__proto__',
            'constructor',
            'then',
            'collection',
            'g.t',
            'g.b',
            'g.d',
          ],
        ]),
        oneOf(['h', 'm', 'p', 'r', 'x', 'k', 'g', 'x.t', 'r.t', 'k.t', 'g.r', 'g.nope', 'nope']),
      ),
    )
    .map(([direction, path]) => `${direction}${path}`),
);

const name = oneOf([...FIELDS, ...SYSTEM_TYPES].map(([luid]) => luid).concat('nope'));
const select = join(
  fc.oneof(
    name,
    fc.tuple(oneOf(['r', 'o', 'x', 'g', 'k', 't', '_prev', '_next']), name).map((path) => path.join('.')),
    fc
      .tuple(oneOf(['r', 'o', 'x', 'g', '_prev']), oneOf(['r', 'o', 'y', 'g', 'x']), name)
      .map((path) => path.join('.')),
  ),
  5,
);

/** Each parameter in one request of so many; now and then it is wrong. */
type Pool = Record<string, [oneIn: number, value: fc.Arbitrary<string>]>;

const shared: Pool = {
  select: [3, select],
  depth: [3, usually(oneOf(['0', '1', '2', '3']), oneOf(['4', '-1', 'x', '']), 30)],
  order: [2, order],
  model: [3, join(usually(oneOf(MODELS), fc.constant('nope')))],
  lang: [3, usually(oneOf([LANGUAGES.main, ...LANGUAGES.sub]), oneOf(['de', '']), 30)],
  lang_fallback: [3, usually(oneOf(['true', 'false']), oneOf(['yes', '']), 30)],
  space: [6, usually(oneOf(SPACES), oneOf(['nope', '']))],
  contains: [6, join(oneOf(['a', 'Zeta', 'word', 'あ', 'q']), 2)],
  'h[format]': [10, usually(fc.constant('html'), oneOf(['pdf', '']))],
  'nope[nope]': [20, fc.constant('1')],
  unknown: [20, fc.constant('1')],
};
const onLists: Pool = {
  limit: [3, usually(oneOf(['1', '2', '3', '100']), oneOf(['0', '101', '1.5', '']), 30)],
  offset: [4, usually(oneOf(['0', '1', '2', '7', '100']), oneOf(['-1', 'x']), 30)],
  include: [60, fc.constant('_langs')],
};
const byId: Pool = {
  include: [1, usually(join(oneOf(['_prev', '_next', '_langs'])), fc.constant('_id'), 30)],
};

function parameters(pool: Pool): fc.Arbitrary<Pair[]> {
  const each = Object.entries(pool).map(([name, [oneIn, value]]) =>
    fc.oneof(
      { arbitrary: fc.constant<Pair[]>([]), weight: oneIn - 1 },
      { arbitrary: value.map((given): Pair[] => [[name, given]]), weight: 1 },
    ),
  );
  return fc.tuple(...each).map((pairs) => pairs.flat());
}

const toQuery = (pairs: Pair[]) => new URLSearchParams(pairs).toString();

const filters: fc.Arbitrary<Pair[]> = fc.oneof(
  { arbitrary: fc.constant<Pair[]>([]), weight: 4 },
  { arbitrary: fc.array(soundFilter, { minLength: 1, maxLength: 1 }), weight: 8 },
  { arbitrary: fc.array(soundFilter, { minLength: 2, maxLength: 3 }), weight: 2 },
  { arbitrary: fc.array(anyFilter, { minLength: 1, maxLength: 2 }), weight: 2 },
);
const list = fc
  .tuple(parameters({ ...shared, ...onLists }), filters)
  .map(([pairs, filters]) => ({ path: '/contents', query: toQuery([...pairs, ...filters]) }));
const single = fc
  .tuple(usually(ids, oneOf(['0', 'x', '1.5'])), parameters({ ...shared, ...byId }), filters)
  .map(([id, pairs, filters]) => ({ path: `/contents/${id}`, query: toQuery([...pairs, ...filters]) }));
const key = usually(
  oneOf(['pub', 'all', ...KEYS.map(({ key }) => key)]),
  fc.constantFrom(undefined, 'wrong'),
  40,
);

/** A request by one of the keys: a list mostly, else a read by id; mostly one that can be answered. */
export const randomQuestion: fc.Arbitrary<Question> = fc
  .tuple(key, fc.oneof({ arbitrary: list, weight: 3 }, { arbitrary: single, weight: 1 }))
  .map(([key, question]) => ({ key, ...question }));
