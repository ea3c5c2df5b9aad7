import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator, sampleSeed } from '../../src/emulator/index.ts';
import { FIELD_TYPES } from '../../src/models/field-types/index.ts';
import { LuidError } from '../../src/shared/errors.ts';
import { seed as conformanceSeed } from '../conformance/conformance-seed.ts';
import { blocksOf } from '../docs/documents.ts';
import { randomSeed } from './reference/random-seed.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../src/emulator/seed.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
}).compile(schema);

/** A small seed with every key of every field type. */
const RICH = {
  $schema: './seed.schema.json',
  languages: { main: 'ja', sub: ['en', 'zh-Hant'] },
  spaces: ['_parent', 'shop'],
  keys: [
    { key: 'pub', reads: 'published' },
    { key: 'all', reads: 'drafts', spaces: ['shop'] },
  ],
  models: {
    author: { name: { type: 'text', title: true, required: true }, bio: { type: 'multiline' } },
    page: {
      body: {
        type: 'flexible_text',
        format: 'markdown',
        images: { width: 720, layout: 'fixed' },
        sanitize: true,
      },
      note: { type: 'flexible_text', format: 'text', images: false, sanitize: false },
      plain: { type: 'flexible_text', images: true },
      on: { type: 'boolean', required: false },
      kind: { type: 'select', options: ['a', 'b'] },
      tags: { type: 'multi_select', options: ['x'] },
      at: { type: 'datetime' },
      cover: { type: 'media', dimensions: true },
      author: { type: 'reference', model: 'author' },
      more: { type: 'reference', model: ['author', 'page'] },
      list: { type: 'repeat', fields: { one: { type: 'text' } } },
      parts: { type: 'combination', sets: { hero: { text: { type: 'text' } } } },
      seo: { type: 'field_set', fields: { robots: { type: 'text' } } },
      any: { type: 'unknown' },
    },
  },
  media: [{ id: 900, file: 'media/a.jpg', alt: { ja: '絵' }, archived: false }],
  contents: [
    {
      id: 1,
      model: 'page',
      space: 'shop',
      archived: false,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-31T09:30+09:00',
      published_at: null,
      last_published_at: '2026-02-01T00:00:00.5Z',
      published: { ja: { kind: 'a', cover: 900, list: [{ one: 'x' }] } },
      draft: { en: { tags: ['x'] } },
    },
  ],
  webhooks: [
    {
      url: 'https://site.test/hook?a=b',
      headers: { 'x-luid-secret': 'open sesame' },
      events: ['publish', 'delete'],
      body: { text: '{{event}} of {{id}}', list: [1, null] },
    },
    { url: 'http://localhost' },
  ],
};

/** Values that are valid for one property and invalid for most others. */
const junk = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2 ** 53,
    '',
    'x',
    'A',
    'ja',
    '_parent',
    'Shop',
    'a b',
    'text',
    'html',
  ],
  ...['portable_html', 'drafts', 'page', '../x', '/x', 'a/../b', 'a\\b', 'é', '\n', 'a\u0000', '..', 'a..b'],
  ...[
    '2026-01-01T00:00:00Z',
    '2026-01-01',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
  ],
  ...['2026-01-01T00:00:60Z', '2026-01-01T00:00:00,25-0530', '0000-01-01T00:00Z', '2026-02-30T00:00:00Z'],
  ...[
    [],
    ['x'],
    ['x', 'x'],
    [''],
    [1],
    {},
    { x: 1 },
    { ja: 'x' },
    { ja: {} },
    { type: 'text' },
    { width: 1 },
  ],
  ...Object.keys(FIELD_TYPES),
);
const name = fc.constantFrom(
  'x',
  'X',
  '__proto__',
  'type',
  'required',
  'model',
  'fields',
  'ja',
  'fr',
  'a b',
  '',
);

type Change = (seed: unknown) => unknown;

/** Replaces, removes or adds something at a random place. */
const change: fc.Arbitrary<Change> = fc
  .record({ place: fc.nat(), how: fc.constantFrom('replace', 'remove', 'add'), value: junk, name })
  .map(({ place, how, value, name }) => (seed) => {
    const copy = structuredClone(seed);
    const places = nestedValues(copy);
    const chosen = places[place % places.length];
    if (!chosen) return value;
    const [parent, key] = chosen;
    const target = how === 'add' ? parent[key as never] : parent;
    if (Array.isArray(target)) {
      if (how === 'remove') target.splice(Number(key), 1);
      else if (how === 'add') target.push(value);
      else target[Number(key)] = value;
    } else if (typeof target === 'object' && target !== null) {
      const field = how === 'add' ? name : key;
      if (how === 'remove') delete target[field as never];
      else
        Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
    }
    return copy;
  });

/** Every nested value, as its parent and key. */
function nestedValues(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    [value, key] as [object, string],
    ...nestedValues((value as Record<string, unknown>)[key]),
  ]);
}

/**
 * Checks that a JSON Schema cannot express: declared names, duplicates, values that match their fields, and dates
 * that exist. docs/reference/seed.md lists these.
 */
const BEYOND_THE_SCHEMA: readonly RegExp[] = [
  /^seed\.contents\[\d+\]\.model must be one of the models/,
  /is not a language of this space/,
  /which is not in seed\.spaces/,
  /names .* which is not declared/,
  /, the id of another (media|content item)/,
  /^seed\.keys\[\d+\]\.key must not be the same as another key/,
  /^seed\.languages must not contain a language twice/,
  /are two different field sets/,
  /^seed\.contents\[\d+\]\.(published|draft)\.[\w-]+\..* (is not a field|must be|is not an object)/,
  /_at must be an ISO 8601 time with Z or an offset, not "\d{4}-\d\d-(29|30|31)T/,
];

/** The error of the emulator for a seed; `undefined` if it accepts it. */
function emulatorError(seed: unknown): string | undefined {
  try {
    createEmulator(seed);
    return undefined;
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    return error.message;
  }
}

function expectAgreement(seed: unknown): 'valid' | 'invalid' | 'beyond' {
  const isValid = validate(seed);
  const error = emulatorError(seed);
  if (isValid === (error === undefined)) return isValid ? 'valid' : 'invalid';
  const lines = (error ?? '').replace(/^Invalid model map:\s+/, '').split('\n');
  const problems = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('→'));
  const isBeyond = isValid && problems.every((line) => BEYOND_THE_SCHEMA.some((known) => known.test(line)));
  expect(isBeyond, `schema: ${JSON.stringify(validate.errors)}\nemulator: ${error}`).toBe(true);
  return 'beyond';
}

const wire = (seed: unknown): unknown => JSON.parse(JSON.stringify(seed));

describe('the JSON Schema of a seed', () => {
  it.each([
    ['the sample', sampleSeed().seed],
    ['the seed of the conformance tests', conformanceSeed],
    ['one with every option', RICH],
    ['the least', { keys: [], models: { note: { text: { type: 'text' } } } }],
    ['a data file’s state', createEmulator(RICH).snapshot()],
  ])('accepts %s, as the emulator does', (_what, seed) => {
    expect(expectAgreement(wire(seed))).toBe('valid');
  });

  it('accepts the example of the documentation', () => {
    const examples = blocksOf('docs/reference/seed.md').filter(({ language }) => language === 'json');
    expect(examples.length).toBeGreaterThan(0);
    for (const { code } of examples) expect(expectAgreement(JSON.parse(code))).toBe('valid');
  });

  it('knows every field type', () => {
    expect(schema.definitions.field.properties.type.enum).toEqual(Object.keys(FIELD_TYPES));
  });

  it('accepts random seeds, as the emulator does', () => {
    fc.assert(
      fc.property(randomSeed, (seed) => {
        expect(expectAgreement(wire(seed))).toBe('valid');
      }),
      { numRuns: 100 },
    );
  });

  it('agrees with the emulator on randomly changed seeds', () => {
    const seen = { valid: 0, invalid: 0, beyond: 0 };
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const seed = changes.reduce<unknown>((changed, apply) => apply(changed), RICH);
        // `undefined` as a seed means the sample.
        if (seed !== undefined) seen[expectAgreement(seed)]++;
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(100);
  });
});
