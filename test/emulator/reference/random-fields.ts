import fc from 'fast-check';
import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields } from '../../../src/models/types.ts';

/** A field of the random spaces: its LUID, its definition, and values for it. */
export interface RandomField {
  luid: string;
  field: Field;
  value: fc.Arbitrary<unknown>;
}

/** Small pools, so that things meet: ids of content, of media, and one of each that nothing has. */
export const IDS = [1, 2, 3, 4, 5, 6, 7, 8];
export const MISSING_ID = 99;
export const MEDIA_IDS = [91, 92, 93];

export const TEXTS = ['a', 'B', 'ab', 'a,b', 'あ Zeta word'];
export const OPTIONS = ['one', 'two'];
export const MOMENTS = [
  '2026-05-01T00:00:00Z',
  '2026-05-01T09:00:00+09:00',
  '2026-04-30T20:00:00-05:00',
  '2026-05-02T00:00:00Z',
];

const textField = { type: 'text' } as const;
const text = fc.constantFrom('', ...TEXTS);
const html = fc.constantFrom('', '<p>a</p>', '<p>ab <b>Zeta</b></p>', '<p class="word">b</p>');
const moment = fc.constantFrom(...MOMENTS);
const options = fc.subarray(OPTIONS);
const contentId = fc.constantFrom(...IDS, MISSING_ID);

function random(luid: string, field: Field, value: fc.Arbitrary<unknown>): RandomField {
  return { luid, field, value: fc.option(value, { nil: undefined, freq: 8 }) };
}

/** One field of each type that holds no others; the LUID is the type's first letter where it can be. */
const SCALARS: RandomField[] = [
  random('t', textField, text),
  random('l', { type: 'multiline' }, fc.oneof(text, fc.constant('a\r\nb'))),
  random('h', { type: 'flexible_text' }, html),
  random('b', { type: 'boolean' }, fc.boolean()),
  random('s', { type: 'select' }, fc.constantFrom(...OPTIONS)),
  random('m', { type: 'multi_select' }, options),
  random('d', { type: 'datetime' }, moment),
  random('p', { type: 'media' }, fc.constantFrom(...MEDIA_IDS, MISSING_ID)),
  random('r', { type: 'reference' }, contentId),
  random('n', { type: 'unknown' }, fc.constantFrom(1, 'x', { any: ['thing'] })),
];

/** Names that mean something in JavaScript, to promises, to Astro, or as a system property. */
const ODD_NAMES: RandomField[] = [
  random('__proto__', textField, text),
  random('constructor', { type: 'boolean' }, fc.boolean()),
  random('then', { type: 'datetime' }, moment),
  random('collection', { type: 'select' }, fc.constantFrom(...OPTIONS)),
  random('_id', { type: 'multi_select' }, options),
];

const entries = (fields: RandomField[], maxLength: number) => fc.array(valuesOf(fields), { maxLength });

const NESTED: RandomField = random(
  'y',
  { type: 'repeat', fields: definitionsOf(SCALARS) },
  entries(SCALARS, 2),
);

/** What field sets, repeats and combinations hold: a repeat among them. */
export const GROUP_FIELDS: RandomField[] = [...SCALARS, random('__proto__', textField, text), NESTED];

/** Two groups, so that a field set, a repeat and the blocks of a combination are not all alike. */
const HALF = GROUP_FIELDS.filter((_, index) => index % 2 === 0);

const block = fc.oneof(
  valuesOf(GROUP_FIELDS).map((fields) => ({ luid: 'hero', fields })),
  valuesOf(HALF).map((fields) => ({ luid: 'quote', fields })),
);

/** `mixed` has another type in each model that has it. */
export const MIXED: RandomField[] = SCALARS.filter(({ luid }) => luid !== 'n' && luid !== 'p').map(
  (field) => ({
    ...field,
    luid: 'mixed',
  }),
);

/** Every field that a model may have, but for `mixed`. What a LUID means is the same in every model. */
export const MODEL_FIELDS: RandomField[] = [
  ...SCALARS,
  random('u', { type: 'text', title: true }, text),
  random('o', { type: 'reference', model: 'alpha' }, contentId),
  ...ODD_NAMES,
  random('g', { type: 'field_set', fields: definitionsOf(GROUP_FIELDS) }, valuesOf(GROUP_FIELDS)),
  random('x', { type: 'repeat', fields: definitionsOf(GROUP_FIELDS) }, entries(GROUP_FIELDS, 3)),
  random(
    'k',
    { type: 'combination', sets: { hero: definitionsOf(GROUP_FIELDS), quote: definitionsOf(HALF) } },
    fc.array(block, { maxLength: 2 }),
  ),
];

export function definitionsOf(fields: RandomField[]): Fields {
  return Object.fromEntries(fields.map(({ luid, field }) => [luid, field]));
}

/** A value, or none, for each of the fields. */
export function valuesOf(fields: RandomField[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(...fields.map(({ value }) => value)).map((values) => {
    const pairs = fields.map(({ luid }, index) => [luid, values[index]] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  });
}
