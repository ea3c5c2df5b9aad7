import { describe, expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import type { FieldsBase } from '../../src/models/field-types/field-type.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { emptyReferences, hasEmptyReference, mayReferToAnyModel } from '../../src/replica/item-links.ts';
import { content } from './wire-items.ts';

const itemOf = (values: Record<string, unknown>) => content(1, values as Record<string, never>);
const modelsOf = (fields: FieldsBase) => ({ article: fields }) as ModelMap;
const found = (fields: FieldsBase, values: Record<string, unknown>) => {
  const accepted = emptyReferences(modelsOf(fields), itemOf(values));
  return accepted === 'any model' ? accepted : [...accepted];
};
const NONE: string[] = [];

describe('an empty reference field', () => {
  const fields = { author: field.reference('author') };

  test.each([
    ['null', { author: null }],
    ['undefined', { author: undefined }],
    ['absent', {}],
  ])('accepts its model if it is %s', (_what, values) => {
    expect(found(fields, values)).toEqual(['author']);
  });

  test('accepts each of its models', () => {
    const several = { by: field.reference(['author', 'team']) };
    expect(found(several, { by: null })).toEqual(['author', 'team']);
  });

  test('accepts any model if it is untyped', () => {
    expect(found({ by: field.reference() }, { by: null })).toEqual('any model');
  });

  test('may be absent, even if it is named like a property of every object', () => {
    const named = { constructor: field.reference('author') } as FieldsBase;
    expect(found(named, {})).toEqual(['author']);
  });
});

test('a reference field with a value accepts nothing', () => {
  expect(found({ author: field.reference('author'), by: field.reference() }, { author: 7, by: 8 })).toEqual(
    NONE,
  );
});

test('an empty field that is not a reference accepts nothing', () => {
  const fields = { title: field.text(), cover: field.media(), tags: field.multiSelect() };
  expect(found(fields, { title: null, cover: null, tags: null })).toEqual(NONE);
  expect(found(fields, { title: '', cover: { url: '', alt: '' }, tags: [] })).toEqual(NONE);
});

test('all empty fields count, not only the first or the last', () => {
  const fields = { a: field.reference('a'), any: field.reference(), b: field.reference('b') };
  expect(found(fields, { a: null, any: null, b: null })).toEqual('any model');
  expect(found(fields, { a: 1, any: null, b: 2 })).toEqual('any model');
  expect(found(fields, { a: null, any: 1, b: 2 })).toEqual(['a']);
});

describe.each([
  ['typed', field.reference('author'), ['author']],
  ['untyped', field.reference(), 'any model'],
])('a nested empty %s reference', (_kind, by, expected) => {
  const rows = field.repeat({ by });
  const blocks = field.combination({ credit: { by }, quote: { text: field.text() } });

  test('is found in any row of a repeat', () => {
    expect(found({ rows }, { rows: [{ by: null }, { by: 2 }] })).toEqual(expected);
    expect(found({ rows }, { rows: [{ by: 1 }, { by: null }] })).toEqual(expected);
    expect(found({ rows }, { rows: [{ by: 1 }, {}, { by: 3 }] })).toEqual(expected);
    expect(found({ rows }, { rows: [{ by: 1 }, { by: 2 }] })).toEqual(NONE);
  });

  test('is found in any block of a combination', () => {
    const block = (id: number | null) => ({ luid: 'credit', fields: { by: id } });
    const quote = { luid: 'quote', fields: { text: null } };
    expect(found({ blocks }, { blocks: [block(null), quote, block(2)] })).toEqual(expected);
    expect(found({ blocks }, { blocks: [block(1), block(null), quote] })).toEqual(expected);
    expect(found({ blocks }, { blocks: [block(1), quote] })).toEqual(NONE);
  });

  test('is found in a field set', () => {
    const fields = { first: field.fieldSet({ by }), second: field.fieldSet({ by }) };
    expect(found(fields, { first: { by: null }, second: { by: 2 } })).toEqual(expected);
    expect(found(fields, { first: { by: 1 }, second: {} })).toEqual(expected);
    expect(found(fields, { first: { by: 1 }, second: { by: 2 } })).toEqual(NONE);
  });

  test('is found at any depth', () => {
    const fields = { sets: field.repeat({ seo: field.fieldSet({ rows }) }) };
    const row = (id: number | null) => ({ seo: { rows: [{ by: id }, { by: 9 }] } });
    expect(found(fields, { sets: [row(null), row(2)] })).toEqual(expected);
    expect(found(fields, { sets: [row(1), row(2)] })).toEqual(NONE);
  });

  test('does not exist in a group without rows', () => {
    const fields = { rows, blocks, seo: field.fieldSet({ by }) };
    expect(found(fields, {})).toEqual(NONE);
    expect(found(fields, { rows: null, blocks: null, seo: null })).toEqual(NONE);
    expect(found(fields, { rows: [], blocks: [] })).toEqual(NONE);
  });
});

test('an item has an empty reference if one of its fields does, typed or not', () => {
  const typed = { by: field.reference('author'), other: field.reference('author') };
  const untyped = { by: field.reference(), other: field.reference() };
  for (const fields of [typed, untyped]) {
    expect(hasEmptyReference(modelsOf(fields), itemOf({ by: 1, other: null }))).toBe(true);
    expect(hasEmptyReference(modelsOf(fields), itemOf({ by: 1, other: 2 }))).toBe(false);
  }
  expect(hasEmptyReference(modelsOf({ title: field.text() }), itemOf({}))).toBe(false);
});

describe('the reference fields of a model', () => {
  const by = field.reference('author');
  const any = field.reference();

  test.each<[string, FieldsBase, boolean]>([
    ['only if one of them names no model', { by, any }, true],
    ['also if that one is nested', { by, blocks: field.combination({ link: { any } }) }, true],
    ['not if all name a model', { by, rows: field.repeat({ by }) }, false],
    ['not if there are none', { title: field.text() }, false],
  ])('may refer to content of undeclared models: %s', (_when, fields, expected) => {
    expect(mayReferToAnyModel(fields)).toBe(expected);
  });
});
