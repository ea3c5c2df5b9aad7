import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { field } from '../../src/models/field.ts';
import { createQuickParse } from '../../src/models/quick-parse.ts';
import { createSchemas } from '../../src/models/schema.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { wire } from './content.ts';

const fields = {
  line: field.text(),
  lines: field.multiline({ required: true }),
  rich: field.flexibleText(),
  yes: field.boolean(),
  one: field.select(),
  listed: field.select(['a', 'b'], { required: true }),
  several: field.multiSelect(['a', 'b']),
  at: field.datetime(),
  cover: field.media(),
  shown: field.media({ placeholder: true }),
  hidden: field.media({ placeholder: true }),
  author: field.reference('article'),
  any: field.reference(undefined, { required: true }),
  list: field.repeat({ to: field.reference(), note: field.text({ required: true }) }),
  blocks: field.combination({ quote: { text: field.text() } }),
  seo: field.fieldSet({ title: field.text() }),
  other: { type: 'unknown' },
  constructor: field.text(),
  _title: field.boolean(),
} as const;
const models = { article: fields } as unknown as ModelMap;

function parsersOf(strict: boolean) {
  const schema = createSchemas(models, { strict }).schema('article', { depth: 0 });
  return {
    schema,
    quickParse: createQuickParse('article', models.article ?? {}, { strict, schema: () => schema as never }),
  };
}

const valid = {
  line: 'A line',
  lines: 'Some\nlines',
  rich: '<p>Rich</p>',
  yes: false,
  one: 'any',
  listed: 'b',
  several: ['a', 'b'],
  at: '2026-01-31T09:00:00+09:00',
  cover: { alt: 'A picture', url: 'https://a.example/b.jpg', width: 10 },
  shown: {
    alt: 'A picture',
    width: 10,
    placeholder: { color: '#00ff00', hasAlpha: false, thumbHash: 'x' },
    url: 'https://a.example/b.jpg',
  },
  hidden: { alt: '', placeholder: '<script>', url: 'https://a.example/b.jpg' },
  author: 7,
  any: 8,
  list: [{ to: 1, note: 'x', more: 1 }],
  blocks: [{ luid: 'quote', fields: { text: 'x' } }],
  seo: { title: 'x' },
  other: { any: ['thing'] },
  constructor: 'x',
};

describe.each([{ strict: false }, { strict: true }])('with strict: $strict', ({ strict }) => {
  const { schema, quickParse } = parsersOf(strict);
  /** With the order of properties, which a store contains too. */
  const expectSame = (item: WireContent) => {
    const quick = quickParse(item);
    if (!quick) return false;
    const result = (schema as never as { safeParse(item: unknown): unknown }).safeParse(item);
    expect({ success: true, data: quick }).toStrictEqual(result);
    expect(JSON.stringify(quick)).toBe(JSON.stringify((result as { data: unknown }).data));
    return true;
  };

  test('valid items are parsed without the schema', () => {
    expect(expectSame(wire('article', valid))).toBe(true);
    expect(expectSame(wire('article', { ...valid, undeclared: 1, _space: 'one' }))).toBe(true);
  });

  test('empty values become those of their type', () => {
    const optional = Object.entries(valid).map(([luid, value]) => [
      luid,
      (fields as Record<string, { required?: boolean }>)[luid]?.required ? value : null,
    ]);
    expect(expectSame(wire('article', Object.fromEntries(optional)))).toBe(true);
  });

  test('what may be invalid is left to the schema', () => {
    const changes = [
      { lines: '' },
      { listed: 'c' },
      { any: null },
      { author: 'x' },
      { cover: { url: '', alt: '' } },
      { list: [{ to: 1 }] },
      { at: 'yesterday' },
      { _status: 'gone' },
      { _model: 'author' },
      { _created_at: null },
    ];
    for (const change of changes) {
      expect(quickParse(wire('article', { ...valid, ...change })), JSON.stringify(change)).toBeUndefined();
    }
    const { line: _, ...withoutLine } = valid;
    expect(quickParse(wire('article', withoutLine))).toBeUndefined();
  });

  test('the schema is not built for items that only have fields of simple types', () => {
    const unused = () => {
      throw new Error('The schema was built');
    };
    const parse = createQuickParse('article', { line: field.text() } as never, { strict, schema: unused });
    expect(parse(wire('article', { line: 'A line', _space: 'one', _prev: null }))).toMatchObject({
      line: 'A line',
    });
  });

  const anyValue = fc.oneof(
    fc.constantFrom(
      null,
      '',
      [],
      {},
      0,
      -1,
      1.5,
      2 ** 53,
      true,
      'a',
      'c',
      '2026-02-28T00:00:00Z',
      '2026-02-30T00:00:00Z',
    ),
    fc.string(),
    fc.integer(),
    fc.record(
      { url: fc.constantFrom('u', '', null, 1), alt: fc.constantFrom('a', '', null, 1) },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ to: fc.constantFrom(1, null, 'x'), note: fc.constantFrom('n', '', null) })),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const names = [
    ...Object.keys(fields),
    ...Object.keys(wire('article')),
    '_space',
    '_prev',
    '_langs',
    '__proto__',
    'x',
  ];

  test('whatever an item contains, the result is that of the schema', () => {
    let quick = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), anyValue), { maxLength: 3 }), (changes) => {
        const item = JSON.parse(
          `{${[
            ...Object.entries(wire('article', valid)).filter(
              ([name]) => !changes.some(([other]) => other === name),
            ),
            ...changes,
          ]
            .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
            .join(',')}}`,
        ) as WireContent;
        if (expectSame(item)) quick += 1;
      }),
      { numRuns: 2000 },
    );
    expect(quick).toBeGreaterThan(500);
  });
});
