import { describe, expect, test } from 'vitest';
import {
  findMissingFields,
  findUndeclaredFields,
  missingFieldsWarning,
  undeclaredFieldsWarning,
} from '../../../src/entries/problems/field-mismatch.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';

const models = {
  author: { name: field.text() },
  article: {
    title: field.text(),
    seo: field.fieldSet({ description: field.text(), image: field.media() }),
    list: field.repeat({ note: field.text() }),
    blocks: field.combination({ hero: { image: field.media() }, quote: { text: field.text() } }),
  },
} as const satisfies ModelMap;

const undeclaredFieldWarnings = (items: Iterable<ReturnType<typeof wire>>, strict = false) =>
  [...findUndeclaredFields(models, items)].map(([model, luids]) =>
    undeclaredFieldsWarning(model, luids, strict),
  );

describe('undeclared fields', () => {
  test('are added to those that are known', () => {
    const known = { article: ['zeta'], author: ['age'] };
    const found = findUndeclaredFields(models, [wire('article', { beta: 1 })], known);
    expect([...found]).toEqual([['article', ['beta', 'zeta']]]);
  });

  test('cause one warning per model', () => {
    const items = [
      wire('article', { title: 'a', zeta: 1, _prev: null, _next: null, _langs: {}, _space: 'x' }),
      wire('article', { title: 'b', beta: 1, zeta: 2 }),
      wire('author', { name: 'c', age: 5 }),
    ];
    expect(undeclaredFieldWarnings(items)).toEqual([
      {
        key: 'undeclared fields article beta zeta',
        line: 'article has undeclared fields: beta, zeta (they pass through untyped)',
      },
      {
        key: 'undeclared fields author age',
        line: 'author has undeclared fields: age (they pass through untyped)',
      },
    ]);
  });

  test('are dropped in a strict space', () => {
    const [warning] = undeclaredFieldWarnings([wire('article', { zeta: 1 })], true);
    expect(warning?.line).toBe('article has undeclared fields: zeta (they are dropped)');
  });

  test('cause no warning if all fields are declared', () => {
    expect(undeclaredFieldWarnings([wire('article', { title: 'a' })])).toEqual([]);
    expect(undeclaredFieldWarnings([])).toEqual([]);
  });

  test('are all fields of a model that is not declared', () => {
    expect(undeclaredFieldWarnings([wire('page', { body: 'a' })])[0]?.line).toContain(
      'page has undeclared fields',
    );
  });

  test('are listed up to twenty, safe to print', () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${String(n).padStart(2, '0')}`, 1]));
    const line = (fields: object) =>
      undeclaredFieldWarnings([wire('article', fields as Record<string, unknown>)])[0]?.line;
    expect(line(named(20))).toMatch(/: f00, .*, f19 \(they/);
    expect(line(named(22))).toMatch(/, f19 and 2 more \(they/);
    expect(line({ 'a\u001b': 1 })).toContain(': a\\u001b (');
    expect(line({ ['x'.repeat(80)]: 1 })).toContain(`: ${'x'.repeat(59)}… (`);
  });
});

describe('fields that no item has', () => {
  const full = {
    title: '',
    seo: { description: '', image: null },
    list: [{ note: 'a' }],
    blocks: [
      { luid: 'hero', fields: { image: null } },
      { luid: 'quote', fields: { text: '' } },
    ],
  };
  const missing = (...items: Record<string, unknown>[]) =>
    Object.fromEntries(
      [
        ...findMissingFields(
          models,
          items.map((fields) => wire('article', fields)),
        ),
      ].filter(([, paths]) => paths.length > 0),
    );

  test('are none if one item has each, empty or not', () => {
    expect(missing(full)).toEqual({});
    expect(missing({ title: null, seo: null, list: [], blocks: '' })).toEqual({});
    expect(missing({ ...full, title: undefined })).toEqual({});
  });

  test('are named by model and path', () => {
    expect(missing({ list: [{}], blocks: [{ luid: 'hero', fields: {} }], seo: { image: null } })).toEqual({
      article: ['blocks.hero.image', 'list.note', 'seo.description', 'title'],
    });
    const found = findMissingFields(models, [
      wire('author', {}),
      wire('article', full),
      wire('page', { x: 1 }),
    ]);
    expect([...found]).toEqual([
      ['author', ['name']],
      ['article', []],
    ]);
  });

  test('are named by the set of their block, whatever its index', () => {
    const quotes = Array.from({ length: 11 }, () => ({ luid: 'quote', fields: { text: '' } }));
    expect(missing({ ...full, blocks: [...quotes, { luid: 'hero', fields: {} }] })).toEqual({
      article: ['blocks.hero.image'],
    });
  });

  test('are those that no item has, in any order of items', () => {
    const { title: _, ...untitled } = full;
    expect(missing(untitled, full)).toEqual({});
    expect(missing(full, untitled)).toEqual({});
    expect(missing(untitled, untitled)).toEqual({ article: ['title'] });
    expect(missing({ ...full, seo: {} }, full)).toEqual({});
    expect(missing(full, { ...full, seo: {} })).toEqual({});
  });

  test('are not searched for in missing groups', () => {
    expect(missing({ ...full, seo: null, list: null, blocks: [] })).toEqual({});
  });

  test('are not those hidden by a system property of the same name, except in groups', () => {
    const odd = {
      page: { _title: field.text(), _prev: field.text(), set: field.fieldSet({ _prev: field.text() }) },
    };
    expect(Object.fromEntries(findMissingFields(odd, [wire('page', { set: {} })]))).toEqual({
      page: ['set._prev'],
    });
  });

  test('are searched for in a hundred items, and in all while one is missing', () => {
    const { title: _, ...untitled } = full;
    const empty = { ...full, seo: null };
    const oddAt = (position: number, first: Record<string, unknown>) =>
      missing(...Array.from({ length: position }, () => first), { ...full, seo: {} });
    const odd = { article: ['seo.description', 'seo.image'] };
    expect(oddAt(99, empty)).toEqual(odd);
    expect(oddAt(100, empty)).toEqual({});
    expect(oddAt(150, { ...untitled, seo: null })).toEqual(odd);
  });

  test('of models named like a property of Object.prototype are ignored', () => {
    expect(findMissingFields(models, [wire('constructor'), wire('__proto__')]).size).toBe(0);
  });

  test('are not searched for in malformed blocks', () => {
    expect(missing({ ...full, blocks: 'x' })).toEqual({});
    expect(missing({ ...full, blocks: { hero: {} } })).toEqual({});
  });

  test('cause a warning with a hint', () => {
    expect(missingFieldsWarning('article', ['seo.x', 'a'])).toEqual([
      {
        key: 'missing fields article',
        line: 'article declares a, seo.x, which no item has: is the LUID right? Run `npx luid check` to compare the models with the content',
      },
    ]);
    expect(missingFieldsWarning('article', [])).toEqual([]);
  });
});
