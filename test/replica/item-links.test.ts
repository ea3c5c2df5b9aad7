import { describe, expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import type { Fields } from '../../src/models/types.ts';
import { linksOf } from '../../src/replica/item-links.ts';
import { content } from './wire-items.ts';

const links = (fields: Fields, values: object) =>
  linksOf({ article: fields, author: {} }, content(1, values as Record<string, unknown>));
const to = (fields: Fields, values: object) => [...links(fields, values)];

describe('an item refers to', () => {
  test('the target of a reference field, with a model or without', () => {
    expect(to({ by: field.reference('author') }, { by: 7 })).toEqual([7]);
    expect(to({ by: field.reference(['author', 'article']) }, { by: 7 })).toEqual([7]);
    expect(to({ by: field.reference() }, { by: 7 })).toEqual([7]);
  });

  test('content of undeclared models', () => {
    expect(to({ by: field.reference('team') }, { by: 7 })).toEqual([7]);
  });

  test('what the entries of a repeated field refer to', () => {
    const fields = { rows: field.repeat({ by: field.reference('author') }) };
    expect(to(fields, { rows: [{ by: 7 }, { by: null }, { by: 8 }] })).toEqual([7, 8]);
  });

  test('what the blocks of a combination refer to', () => {
    const fields = {
      blocks: field.combination({
        hero: { by: field.reference() },
        quote: { of: field.reference('author') },
      }),
    };
    const blocks = [
      { luid: 'hero', fields: { by: 7, of: 9 } },
      { luid: 'quote', fields: { by: 9, of: 8 } },
      { luid: 'other', fields: { by: 9 } },
    ];
    expect(to(fields, { blocks })).toEqual([7, 8]);
  });

  test('what a field set refers to, also inside other groups', () => {
    const seo = field.fieldSet({ by: field.reference('author') });
    expect(to({ seo }, { seo: { by: 7 } })).toEqual([7]);
    expect(to({ rows: field.repeat({ seo }) }, { rows: [{ seo: { by: 7 } }, { seo: null }] })).toEqual([7]);
  });

  test('nothing by a field that is not a reference, whatever its value looks like', () => {
    expect(to({ title: field.text() }, { title: 7 })).toEqual([]);
    expect(links({ title: field.text() }, { title: null })).toEqual([]);
    expect(links({ cover: field.media() }, { cover: null })).toEqual([]);
  });

  test('each target once', () => {
    const fields = { by: field.reference(), of: field.reference() };
    expect(to(fields, { by: 7, of: 7 })).toEqual([7]);
  });
});

describe('an item does not refer to', () => {
  test('numbers in other fields, and values of undeclared fields', () => {
    expect(to({ count: field.unknown() }, { count: 7, by: 8, cover: { url: '/a.jpg', alt: '' } })).toEqual(
      [],
    );
  });

  test('values that are not ids', () => {
    const fields = { by: field.reference() };
    expect(to(fields, { by: 'x' })).toEqual([]);
    expect(to(fields, { by: { _id: 7 } })).toEqual([]);
  });

  test('anything if its model is not declared', () => {
    expect(linksOf({}, content(1, { by: 7 }))).toEqual([]);
  });
});
