import { describe, expect, test } from 'vitest';
import { inferModels } from '../../../src/cli/infer/infer.ts';
import type { OperatorSupport } from '../../../src/cli/infer/inference-rule.ts';
import type { WireContent } from '../../../src/contract/content.ts';

let nextId = 1;
const item = (fields: Record<string, unknown>, model = 'thing'): WireContent =>
  ({
    _id: nextId++,
    _model: model,
    _title: '',
    _created_at: '2026-01-01T00:00:00Z',
    _updated_at: '2026-01-01T00:00:00Z',
    _published_at: null,
    _last_published_at: null,
    _status: 'published',
    ...fields,
  }) as WireContent;

/** Infers a field `f` from these values, one per item. */
function inferField(
  values: readonly unknown[],
  operators?: OperatorSupport,
  targets: [number, string][] = [],
) {
  const items = values.map((f) => item({ f }));
  const operatorSupport = new Map(operators ? [['thing.f', operators]] : []);
  const { models, evidence } = inferModels({ items, targets: new Map(targets), operatorSupport });
  return { field: models.thing?.f, evidence: evidence.get('thing.f') };
}

const repeated = <T>(values: readonly T[], times: number) =>
  Array.from({ length: times }, () => values).flat();
const counted = (count: number, value: (index: number) => unknown) =>
  Array.from({ length: count }, (_, i) => value(i));

test('a line break in an option of a select is not a multi-line text', () => {
  const values = repeated(['one\ntwo', 'three'], 10);
  const select = inferField(values, { eq: true, contains: false });
  expect(select.field).toEqual({ type: 'select', options: ['one\ntwo', 'three'] });
  expect(select.evidence).toMatchObject({ proved: true });
  // In a repeat, only `eq` is supported.
  const either = inferField(values, { eq: true });
  expect(either).toMatchObject({ field: { type: 'multiline' }, evidence: { proved: undefined } });
  const multiline = inferField(values, { eq: true, contains: true });
  expect(multiline).toMatchObject({ field: { type: 'multiline' }, evidence: { proved: true } });
});

describe('shapes of §2.2', () => {
  test.each([
    ['boolean', [true, false, null], { type: 'boolean' }],
    ['media', [{ url: 'https://a.test/1/a.jpg', alt: '' }, null], { type: 'media' }],
    [
      'datetime',
      ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00Z'],
      { type: 'datetime' },
    ],
    [
      'datetime without an offset, or with a basic one',
      ['2026-01-01T00:00:00', '2026-02-01T00:00:00+0900', '2026-03-01T00:00Z'],
      { type: 'datetime' },
    ],
    ['flexible text', counted(5, (i) => `<p>Nr ${i} &amp; more</p>`), { type: 'flexible_text' }],
    ['multi-line text', ['one', 'two\r\nlines', 'three'], { type: 'multiline' }],
    ['text', counted(30, (i) => `Title ${i}`), { type: 'text' }],
    ['multi select', repeated([['a'], ['a', 'b'], []], 20), { type: 'multi_select', options: ['a', 'b'] }],
    ['repeat', [[{ note: true }], []], { type: 'repeat', fields: { note: { type: 'boolean' } } }],
    ['field set', [{ on: true }, null], { type: 'field_set', fields: { on: { type: 'boolean' } } }],
  ])('recognises %s by its values', (_, values, expected) => {
    const { field, evidence } = inferField(values);
    expect(field).toEqual(expected);
    expect(evidence?.doubt).toBeUndefined();
  });

  test('distinguishes a combination from a repeat by blocks of different field sets', () => {
    const blocks = [
      { luid: 'hero', fields: { big: true } },
      { luid: 'quote', fields: { loud: false } },
    ];
    const { field, evidence } = inferField(repeated([blocks], 10));
    const sets = { hero: { big: { type: 'boolean' } }, quote: { loud: { type: 'boolean' } } };
    expect(field).toEqual({ type: 'combination', sets });
    expect(evidence?.doubt).toBeUndefined();
  });

  test('recognises a repeat of `luid` and `fields` by an invalid LUID', () => {
    const { field } = inferField([[{ luid: 'Not a LUID', fields: { on: true } }]]);
    expect(field).toMatchObject({ type: 'repeat', fields: { luid: { type: 'text' } } });
  });

  test('is uncertain about few blocks with equal fields', () => {
    const { evidence } = inferField([[{ luid: 'hero', fields: { on: true } }]]);
    expect(evidence?.doubt).toContain('a repeat');
  });

  test('recognises an object with url and alt as a field set if url is not a URL', () => {
    const { field } = inferField([{ url: 'about', alt: 'About us' }]);
    expect(field?.type).toBe('field_set');
  });

  test('is uncertain about media of another origin', () => {
    const items = [
      ...[1, 2, 3].map((n) => item({ cover: { url: `https://assets.test/${n}/a.jpg`, alt: '' } })),
      item({ link: { url: 'https://elsewhere.test/', alt: 'A link' } }),
    ];
    const { evidence, assetsUrl } = inferModels({ items, targets: new Map() });
    expect(evidence.get('thing.cover')?.doubt).toBeUndefined();
    expect(evidence.get('thing.link')?.doubt).toContain('field set');
    expect(assetsUrl).toBe('https://assets.test');
  });

  test('does not infer a type for values of several shapes, and lists them', () => {
    const { field, evidence } = inferField(['a', true]);
    expect(field).toEqual({ type: 'unknown' });
    expect(evidence?.doubt).toContain('text in 1, true or false in 1');
  });
});

describe('a field that is always empty', () => {
  test.each([
    ['null', [null, null], 'always empty'],
    ['lists', [[], []], 'a repeat, a combination or a multi select'],
    ['texts', ['', ''], 'a text, perhaps'],
  ])('is unknown, with a note: %s', (_, values, said) => {
    const { field, evidence } = inferField(values);
    expect(field).toEqual({ type: 'unknown' });
    expect(evidence).toMatchObject({ filled: 0, of: 2, note: expect.stringContaining(said) });
  });
});

describe('select or text', () => {
  const few = repeated(['news', 'event', 'travel'], 20);

  test('few values that repeat are an uncertain select', () => {
    const { field, evidence } = inferField(few);
    expect(field).toEqual({ type: 'select', options: ['event', 'news', 'travel'] });
    expect(evidence).toMatchObject({
      filled: 60,
      of: 60,
      values: 3,
      doubt: expect.stringContaining('3 values in 60'),
    });
  });

  test('they are certainly a select if the service supports `eq` but not `contains`', () => {
    const { field, evidence } = inferField(few, { eq: true, contains: false });
    expect(field?.type).toBe('select');
    expect(evidence?.doubt).toBeUndefined();
  });

  test('they are certainly text if the service supports both', () => {
    const { field, evidence } = inferField(few, { eq: true, contains: true });
    expect(field).toEqual({ type: 'text' });
    expect(evidence?.doubt).toBeUndefined();
  });

  test('an option that occurs once makes the options uncertain', () => {
    const { field, evidence } = inferField([...few, 'food'], { eq: true, contains: false });
    expect(field).toMatchObject({ options: ['event', 'food', 'news', 'travel'] });
    expect(evidence?.doubt).toContain('other options');
  });

  test('lists no options if most occur only once', () => {
    const { field, evidence } = inferField(['a', 'b', 'c', 'a'], { eq: true, contains: false });
    expect(field).toEqual({ type: 'select' });
    expect(evidence?.doubt).toContain('"a", "b", "c"');
  });

  test('counts an item in two languages once', () => {
    const both = counted(3, () => item({ f: 'news' })).flatMap((one) => [one, one]);
    const { evidence } = inferModels({ items: both as WireContent[], targets: new Map() });
    expect(evidence.get('thing.f')).toMatchObject({ filled: 3, of: 3 });
  });
});

describe('flexible text', () => {
  test('is recognised by the supported operators, even without markup', () => {
    const { field, evidence } = inferField(['plain', 'words'], { eq: false, contains: true });
    expect(field).toEqual({ type: 'flexible_text' });
    expect(evidence?.doubt).toBeUndefined();
  });
  test('is not inferred from HTML if the service supports `eq`', () => {
    const html = counted(5, (i) => `<p>${i}</p>\n<p>more</p>`);
    expect(inferField(html, { eq: true, contains: true }).field).toEqual({ type: 'multiline' });
  });
  test.each([
    ['some texts have no markup', ['<p>a</p>', '<p>b</p>', 'c']],
    ['the markup has no paragraphs', counted(5, (i) => `<iframe src="https://v.test/${i}"></iframe>`)],
  ])('is uncertain if %s', (_, values) => {
    expect(inferField(values).evidence?.doubt).toMatch(/markup/);
  });
  test('is not inferred from a comparison sign', () => {
    expect(inferField(counted(30, (i) => `a < b and ${i} > c`)).field).toEqual({ type: 'text' });
  });
});

describe('references', () => {
  const ids = counted(30, (i) => 1000 + (i as number));

  test('are ids, and name the models of their targets', () => {
    const items = [...ids.map((f) => item({ f })), item({ on: true }, 'author')];
    const targets = new Map(ids.map((id) => [id as number, 'author']));
    const { models, evidence } = inferModels({ items, targets });
    expect(models.thing?.f).toEqual({ type: 'reference', model: 'author' });
    expect(evidence.get('thing.f')?.doubt).toBeUndefined();
  });
  test('without known targets are uncertain and name no model', () => {
    const { field, evidence } = inferField(ids);
    expect(field).toEqual({ type: 'reference' });
    expect(evidence?.doubt).toContain('which model');
  });
  test('are uncertain if some targets cannot be looked up', () => {
    const items = [...ids.map((f) => item({ f })), item({ on: true }, 'author')];
    const targets = new Map(ids.slice(1).map((id) => [id as number, 'author']));
    const { evidence } = inferModels({ items, targets });
    expect(evidence.get('thing.f')?.doubt).toContain('1 of 30 targets');
  });
  test('to an undeclared model name no model', () => {
    const { field, evidence } = inferField(
      ids,
      undefined,
      ids.map((id) => [id as number, 'tag']),
    );
    expect(field).toEqual({ type: 'reference' });
    expect(evidence?.note).toContain('tag');
  });
});

describe('the title', () => {
  test('is marked if another text field precedes it', () => {
    const items = [1, 2, 3].map((n) => item({ _title: `T${n}`, code: `c-${n}`, name: `T${n}` }));
    const { models } = inferModels({ items, targets: new Map() });
    expect(models.thing).toMatchObject({ code: { type: 'text' }, name: { type: 'text', title: true } });
  });
  test('is not marked if it is the first text field', () => {
    const items = [1, 2].map((n) => item({ _title: `T${n}`, name: `T${n}`, code: `c-${n}` }));
    expect(inferModels({ items, targets: new Map() }).models.thing?.name).toEqual({ type: 'text' });
  });
  test('is never a system property, even if the titles equal the name of the model', () => {
    const items = [item({ _title: 'about', body: '<p>x</p>', name: 'about' }, 'about')];
    expect(inferModels({ items, targets: new Map() }).models.about).toMatchObject({
      body: { type: 'flexible_text' },
      name: { type: 'text' },
    });
    const { models } = inferModels({ items: [item({ _title: 'page', n: 1 }, 'page')], targets: new Map() });
    expect(Object.keys(models.page ?? {})).toEqual(['n']);
  });
  test('is uncertain if two fields match it', () => {
    const items = [1, 2].map((n) => item({ _title: `T${n}`, name: `T${n}`, code: `T${n}` }));
    const { evidence } = inferModels({ items, targets: new Map() });
    expect(evidence.get('thing.name')?.doubt).toContain('code');
  });
});

describe('field sets', () => {
  test('§1 have the same definition in all their uses', () => {
    const items = [
      item({ seo: { on: true } }),
      item({ parts: [{ luid: 'seo', fields: { off: false } }] }, 'page'),
    ];
    const { models } = inferModels({ items, targets: new Map() });
    const fields = { on: { type: 'boolean' }, off: { type: 'boolean' } };
    expect(models).toMatchObject({ thing: { seo: { fields } }, page: { parts: { sets: { seo: fields } } } });
  });
  test('that seem to contain themselves cause no endless recursion', () => {
    const { field } = inferField([{ f: { f: { on: true } } }]);
    expect(field).toMatchObject({ type: 'field_set' });
  });
});

test('field names such as __proto__ are harmless', () => {
  const odd = JSON.parse('{"__proto__": true, "constructor": "a\\nb", "then": [{"__proto__": true}]}');
  const { models } = inferModels({ items: [item(odd)], targets: new Map() });
  expect(Object.keys(models.thing ?? {})).toEqual(['__proto__', 'constructor', 'then']);
});
