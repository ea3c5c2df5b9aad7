import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import type { Field } from '../../src/models/field-types/index.ts';
import { wire } from './content.ts';

interface Case {
  readonly type: string;
  readonly define: (options: { required?: boolean }) => Field;
  /** What the service sends (§2.2) and what it becomes. */
  readonly sent: unknown;
  readonly parsed: unknown;
  readonly empty: '' | null | [];
  readonly wrong: unknown;
  readonly error: string;
}

const CORRECT = 'correct the entry, or the field in the model map';
const CASES: Case[] = [
  {
    type: 'flexible text',
    define: (options) => field.flexibleText(options),
    sent: '<p>Hello</p>',
    parsed: '<p>Hello</p>',
    empty: '',
    wrong: 5,
    error: `expected a string, found 5: ${CORRECT}`,
  },
  {
    type: 'single-line text',
    define: (options) => field.text(options),
    sent: 'Hello',
    parsed: 'Hello',
    empty: '',
    wrong: { a: 1 },
    error: `expected a string, found an object with a: ${CORRECT}`,
  },
  {
    type: 'multi-line text',
    define: (options) => field.multiline(options),
    sent: 'one\r\ntwo',
    parsed: 'one\r\ntwo',
    empty: '',
    wrong: ['one'],
    error: `expected a string, found a list of 1: ${CORRECT}`,
  },
  {
    type: 'boolean',
    define: (options) => field.boolean(options),
    sent: false,
    parsed: false,
    empty: null,
    wrong: 'false',
    error: `expected true or false, found "false": ${CORRECT}`,
  },
  {
    type: 'single select',
    define: (options) => field.select(['news', 'event'], options),
    sent: 'news',
    parsed: 'news',
    empty: null,
    wrong: 'New',
    error:
      'expected one of "news", "event", found "New": correct the entry, or add the value to the options in the model map',
  },
  {
    type: 'multi select',
    define: (options) => field.multiSelect(['sea', 'hill'], options),
    sent: ['sea', 'hill'],
    parsed: ['sea', 'hill'],
    empty: [],
    wrong: 'sea',
    error: `expected a list of option values, found "sea": ${CORRECT}`,
  },
  {
    type: 'datetime',
    define: (options) => field.datetime(options),
    sent: '2026-05-01T09:30:00Z',
    parsed: new Date('2026-05-01T09:30:00Z'),
    empty: null,
    wrong: '2026-02-30T00:00:00Z',
    error: `expected an ISO 8601 time, found "2026-02-30T00:00:00Z": ${CORRECT}`,
  },
  {
    type: 'media',
    define: (options) => field.media(options),
    sent: { url: 'https://assets.example/a.jpg', alt: 'A' },
    parsed: { url: 'https://assets.example/a.jpg', alt: 'A' },
    empty: null,
    wrong: 'https://assets.example/a.jpg',
    error: `expected media { url, alt }, found "https://assets.example/a.jpg": ${CORRECT}`,
  },
  {
    type: 'content reference',
    define: (options) => field.reference('item', options),
    sent: wire('item', { value: 7 }, 7),
    parsed: undefined,
    empty: null,
    wrong: 'seven',
    error: `expected content of item, found "seven": ${CORRECT}`,
  },
  {
    type: 'repeat',
    define: (options) => field.repeat({ note: field.text() }, options),
    sent: [{ note: 'a' }, { note: null }],
    parsed: [{ note: 'a' }, { note: '' }],
    empty: [],
    wrong: { note: 'a' },
    error: `expected a list of objects, found an object with note: ${CORRECT}`,
  },
  {
    type: 'combination',
    define: (options) => field.combination({ quote: { text: field.multiline() } }, options),
    sent: [
      { luid: 'quote', fields: { text: 'one' } },
      { luid: 'quote', fields: {} },
    ],
    parsed: [
      { luid: 'quote', fields: { text: 'one' } },
      { luid: 'quote', fields: { text: '' } },
    ],
    empty: [],
    wrong: 'quote',
    error: `expected a list of { luid, fields }, found "quote": ${CORRECT}`,
  },
  {
    type: 'field set',
    define: (options) => field.fieldSet({ description: field.text() }, options),
    sent: { description: null },
    parsed: { description: '' },
    empty: null,
    wrong: 'text',
    error: `expected an object of fields, found "text": ${CORRECT}`,
  },
];

function schemaOf(definition: Field, depth: 0 | 1 = 0, strict = false) {
  return defineSpace({ models: { item: { value: definition } }, strict }).schema('item', { depth });
}

function parse(definition: Field, value: unknown, depth: 0 | 1 = 0) {
  const result = schemaOf(definition, depth).safeParse(wire('item', value === undefined ? {} : { value }));
  if (result.success) return { value: (result.data as Record<string, unknown>).value };
  return { errors: result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}

describe.each(CASES)('§2.2 $type', ({ type, define, sent, parsed, empty, wrong, error }) => {
  const depth = type === 'content reference' ? 1 : 0;

  test('a value in a response is parsed', () => {
    if (type === 'content reference')
      return expect(parse(define({}), sent, 1).value).toMatchObject({ _id: 7, value: 7 });
    expect(parse(define({}), sent, depth)).toEqual({ value: parsed });
  });

  test.each([
    ['null', null],
    ['missing', undefined],
    ['an empty string', ''],
    ['an empty list', []],
  ])('empty, as %s, becomes its empty value', (_name, value) => {
    expect(parse(define({}), value, depth)).toEqual({ value: empty });
  });

  test.each([
    ['null', null],
    ['missing', undefined],
    ['an empty string', ''],
    ['an empty list', []],
  ])('empty, as %s, is an error if the field is required', (_name, value) => {
    const message = 'value: required, but empty: fill it in, or remove `required` from the field';
    expect(parse(define({ required: true }), value, depth)).toEqual({ errors: [message] });
  });

  test('a value of the wrong type is an error with the expected and the actual value', () => {
    expect(parse(define({}), wrong, depth)).toEqual({ errors: [`value: ${error}`] });
  });

  test('parsed data can be parsed again', () => {
    const once = parse(define({}), sent, depth).value;
    expect(parse(define({}), once, depth)).toEqual({ value: once });
  });
});

test('§2.2 the alternative text of a media can be missing', () => {
  const media = { url: 'https://assets.example/a.jpg', alt: null };
  expect(parse(field.media(), media)).toEqual({ value: { url: media.url, alt: '' } });
});

test('a media has the placeholder that a loader added, or null, only with the option', () => {
  const media = { url: 'https://assets.example/a.jpg', alt: 'A' };
  const placeholder = { thumbHash: 'AAAA', color: '#0a0b0c', hasAlpha: true };
  const previewed = (value: object) =>
    parse(field.media({ placeholder: true }), { ...media, ...value }).value;
  expect(previewed({ placeholder })).toEqual({ ...media, placeholder });
  const others = [
    undefined,
    null,
    'x',
    {},
    { ...placeholder, color: 'red' },
    { ...placeholder, hasAlpha: 1 },
  ];
  for (const other of others) {
    expect(previewed({ placeholder: other })).toEqual({ ...media, placeholder: null });
  }
  expect(previewed({})).toEqual({ ...media, placeholder: null });
  expect(parse(field.media(), media)).toEqual({ value: media });
});

test('§2.2 a media without a URL is an error', () => {
  expect(parse(field.media(), { alt: 'A' }).errors).toEqual([
    'value.url: required, but empty: fill it in, or remove `required` from the field',
  ]);
});

test('§2.2 a select without options accepts any string', () => {
  expect(parse(field.select(), 'anything')).toEqual({ value: 'anything' });
  expect(parse(field.multiSelect(), ['any', 'thing'])).toEqual({ value: ['any', 'thing'] });
});

test('a field of unknown type accepts any value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(value !== '' && !(Array.isArray(value) && value.length === 0));
      expect(parse(field.unknown(), value)).toEqual({ value });
    }),
  );
});

test('§2.2 errors inside groups have the full path', () => {
  const sections = field.combination({
    hero: { pictures: field.repeat({ image: field.media({ required: true }) }) },
  });
  const value = [
    { luid: 'hero', fields: { pictures: [{ image: { url: 'https://a.example/1' } }, { image: null }] } },
  ];
  expect(parse(sections, value).errors).toEqual([
    'value.0.fields.pictures.1.image: required, but empty: fill it in, or remove `required` from the field',
  ]);
});

describe('references', () => {
  const models = {
    author: { name: field.text({ required: true }), best: field.reference('article') },
    article: {
      author: field.reference('author'),
      any: field.reference(),
      either: field.reference(['author', 'article']),
    },
  };
  const space = defineSpace({ models });
  const author = wire('author', { name: 'Mori', best: 1 }, 2);

  test('§4.2 are ids at depth 0', () => {
    const data = space.schema('article', { depth: 0 }).parse(wire('article', { author: 2, any: 3 }));
    expect(data).toMatchObject({ author: 2, any: 3, either: null });
  });

  test('§4.2 are content down to the depth, then ids', () => {
    const data = space.schema('article', { depth: 1 }).parse(wire('article', { author }));
    expect(data.author?.name).toBe('Mori');
    expect(data.author?.best).toBe(1);
  });

  test('are validated with the schema of their model', () => {
    const nameless = wire('article', { author: { ...author, name: '' }, either: { ...author, name: 4 } });
    const { error } = space.schema('article').safeParse(nameless);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['author.name', 'either.name']);
  });

  test('to a model that the field does not name are an error with its name', () => {
    const { error } = space.schema('article').safeParse(wire('article', { author: wire('article', {}, 9) }));
    expect(error?.issues[0]?.message).toBe(
      'expected content of author, found content 9 of article: add that model to the reference',
    );
  });

  test('to any model accept content of undeclared models, or an id', () => {
    const other = wire('shop', { price: '5' }, 9);
    expect(space.schema('article').parse(wire('article', { any: other })).any).toEqual(other);
    expect(space.schema('article').parse(wire('article', { any: 9 })).any).toBe(9);
  });

  test('between models in both directions work to depth 10', () => {
    let item: unknown = 5;
    for (let level = 10; level >= 0; level--) {
      item = level % 2 === 0 ? wire('article', { author: item }) : wire('author', { name: 'x', best: item });
    }
    const data: unknown = space.schema('article', { depth: 10 }).parse(item);
    expect(JSON.stringify(data)).toContain('"author":5');
  });
});

describe('§2.1 system properties', () => {
  const schema = defineSpace({ models: { item: { name: field.text() } } }).schema('item');

  test('are part of every schema, times as Dates', () => {
    expect(
      schema.parse(wire('item', { _published_at: '2026-01-03T00:00:00+09:00', _space: 'shop' })),
    ).toEqual({
      _id: 101,
      _model: 'item',
      _title: 'A title',
      _created_at: new Date('2026-01-01T00:00:00Z'),
      _updated_at: new Date('2026-01-02T00:00:00Z'),
      _published_at: new Date('2026-01-02T15:00:00Z'),
      _last_published_at: null,
      _status: 'draft',
      _space: 'shop',
      name: '',
    });
  });

  test.each(['_id', '_model', '_created_at', '_updated_at', '_status'])('%s is required', (name) => {
    const { [name]: _left, ...rest } = wire('item');
    expect(schema.safeParse(rest).error?.issues.map(({ path }) => path)).toEqual([[name]]);
  });

  test.each(['_id', '_model', '_title', '_created_at', '_published_at', '_status', '_space', '_langs'])(
    '%s of another type is an error that says what was expected and found',
    (name) => {
      const [issue] = schema.safeParse(wire('item', { [name]: 1.5 })).error?.issues ?? [];
      expect(issue?.message).toMatch(/^expected .+, found 1\.5: /);
    },
  );

  test('content of another model is an error', () => {
    expect(schema.safeParse(wire('other')).error?.issues[0]?.message).toContain('expected content of item');
  });
});

describe('an undeclared property', () => {
  const models = {
    item: {
      seo: field.fieldSet({ text: field.text() }),
      blocks: field.combination({ quote: { text: field.text() } }),
    },
  };
  const content = wire('item', {
    extra: { a: [1] },
    seo: { text: 'a', extra: 1 },
    blocks: [
      { luid: 'quote', fields: { text: 'a', extra: 1 } },
      { luid: 'other', fields: { text: 5 } },
    ],
  });

  test('passes through unchanged', () => {
    expect(defineSpace({ models }).schema('item').parse(content)).toMatchObject({
      extra: { a: [1] },
      seo: { text: 'a', extra: 1 },
      blocks: content.blocks,
    });
  });

  test('is removed if strict', () => {
    const data = defineSpace({ models, strict: true }).schema('item').parse(content);
    expect(data).not.toHaveProperty('extra');
    expect(data).toMatchObject({ seo: { text: 'a' }, blocks: [{ luid: 'quote', fields: { text: 'a' } }] });
    expect(data.seo).not.toHaveProperty('extra');
    expect(data.blocks).toHaveLength(1);
  });
});

test('a schema can be extended by its user', () => {
  const schema = defineSpace({ models: { item: { name: field.text() } } }).schema('item');
  const named = schema.extend({ name: schema.shape.name.transform((name) => name.toUpperCase()) });
  expect(named.parse(wire('item', { name: 'mori' })).name).toBe('MORI');
});
