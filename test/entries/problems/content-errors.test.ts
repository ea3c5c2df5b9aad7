import { describe, expect, test } from 'vitest';
import { duplicateIdsError, invalidContentError } from '../../../src/entries/problems/content-errors.ts';
import type { InvalidItem } from '../../../src/entries/problems/invalid-item.ts';
import { LuidContentError } from '../../../src/index.ts';
import { wire } from '../../models/content.ts';

const article = (id: number, fields: Record<string, unknown> = {}) =>
  wire('article', { _title: `T${id}`, ...fields }, id);
const invalid = (id: number, path: PropertyKey[], message = 'expected x', fields = {}): InvalidItem => ({
  data: article(id, fields),
  issues: [{ path, message }],
  because: [],
});
/** Without the hint that follows. */
const linesOf = (error: LuidContentError) => error.message.split('\n  →')[0]?.split('\n');

describe('items that do not match their model', () => {
  test('are one error, with the first item and a hint', () => {
    const error = invalidContentError([invalid(1, ['title'], 'required'), invalid(2, ['lead'])]);
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({
      model: 'article',
      id: 1,
      field: 'title',
      hint: 'Run `npx luid check` to compare the models with the content. Set `onInvalid: "skip"` to skip such entries.',
    });
    expect(linesOf(error)).toEqual([
      '2 items do not match the declared models:',
      '  article.title: 1 item',
      '    article 1 "T1": required',
      '  article.lead: 1 item',
      '    article 2 "T2": expected x',
    ]);
  });

  test('have a hint about skipping only if they are not skipped', () => {
    expect(invalidContentError([invalid(1, ['title'])], true).hint).toBe(
      'Run `npx luid check` to compare the models with the content.',
    );
  });

  test('are grouped by field, whatever their index in a list', () => {
    const error = invalidContentError([
      invalid(1, ['list', 0, 'to']),
      invalid(1, ['list', 3, 'to'], 'another'),
      invalid(2, ['list', 12, 'to']),
    ]);
    expect(error.field).toBe('list[0].to');
    expect(linesOf(error)).toEqual([
      '2 items do not match the declared models:',
      '  article.list[].to: 2 items',
      '    article 1 "T1" list[0].to: expected x',
      '    article 2 "T2" list[12].to: expected x',
    ]);
  });

  test('are not grouped with a field at another path', () => {
    const error = invalidContentError([
      invalid(1, ['list', 10, 'to']),
      invalid(2, ['list', 'to']),
      invalid(3, [0, 'to']),
    ]);
    expect(linesOf(error)?.filter((line) => /^ {2}\S/.test(line))).toEqual([
      '  article.list[].to: 1 item',
      '  article.list.to: 1 item',
      '  article.[].to: 1 item',
    ]);
  });

  test('can be none', () => {
    expect(linesOf(invalidContentError([]))?.[0]).toBe('0 items do not match the declared models:');
    expect(linesOf(duplicateIdsError(new Map(), 'posts'))?.[0]).toBe(
      'posts: 0 ids are used by several items:',
    );
  });

  test('have no field if the whole item is invalid', () => {
    const error = invalidContentError([invalid(1, [], 'broken')]);
    expect(error.field).toBeUndefined();
    expect(linesOf(error)).toEqual([
      '1 item does not match the declared models:',
      '  article: 1 item',
      '    article 1 "T1": broken',
    ]);
  });

  test('have a likely cause, derived from all of their values', () => {
    const values = ['a', 'b'].map((title, index) => invalid(index, ['title'], 'expected x', { title }));
    expect(linesOf(invalidContentError(values))?.[1]).toBe('  article.title: 2 items (found "a", "b")');
    const odd = invalidContentError([invalid(1, ['a', 'b', 'c'], 'expected x', { a: { b: null } })]);
    expect(linesOf(odd)?.[1]).toBe('  article.a.b.c: 1 item');
  });

  test('are listed with at most three examples for each of twenty fields', () => {
    const same = [1, 2, 3, 4, 5].map((id) => invalid(id, ['title']));
    expect(linesOf(invalidContentError(same))?.slice(-2)).toEqual([
      '    article 3 "T3": expected x',
      '    and 2 more',
    ]);
    const many = (count: number) =>
      linesOf(invalidContentError(Array.from({ length: count }, (_, n) => invalid(1, [`f${n}`]))));
    expect(many(20)?.at(-2)).toBe('  article.f19: 1 item');
    expect(many(22)?.slice(-3)).toEqual([
      '  article.f19: 1 item',
      '    article 1 "T1": expected x',
      '  and 2 more fields',
    ]);
  });

  test('are printed on one line each, without control characters', () => {
    const error = invalidContentError([invalid(1, ['a\u001b'.repeat(200)], `b\u001b${'c'.repeat(400)}`)]);
    const [, group, line] = linesOf(error) as [string, string, string];
    expect(group).toMatch(/^ {2}article\.a\\u001ba/);
    expect(group.split('\\u001b')).toHaveLength(60);
    expect(line).toHaveLength('    article 1 "T1": '.length + 300 + '\\u001b'.length - 1);
  });
});

describe('an embedded item', () => {
  const author = (fields: object = {}) => ({ _id: 9, _model: 'author', _title: 'Mori', name: '', ...fields });

  test('is reported itself, once, however many items embed it', () => {
    const error = invalidContentError([
      invalid(1, ['author', 'name'], 'required', { author: author() }),
      invalid(2, ['list', 0, 'by', 'name'], 'required', { list: [{ by: author() }] }),
    ]);
    expect(error).toMatchObject({ model: 'author', id: 9, field: 'name' });
    expect(linesOf(error)).toEqual([
      '1 item does not match the declared models:',
      '  author.name: 1 item',
      '    author 9 "Mori": required',
    ]);
  });

  test('is the innermost one on the path', () => {
    const friend = { _id: 10, _model: 'author', _title: 'Sato', name: 5 };
    const fields = { author: author({ friend }) };
    const error = invalidContentError([invalid(1, ['author', 'friend', 'name'], 'expected text', fields)]);
    expect(error).toMatchObject({ model: 'author', id: 10, field: 'name' });
  });

  test('is not reported if it is itself the unexpected value', () => {
    const error = invalidContentError([invalid(1, ['author'], 'expected text', { author: author() })]);
    expect(error).toMatchObject({ model: 'article', id: 1, field: 'author' });
    expect(linesOf(error)?.[1]).toBe(
      '  article.author: 1 item (looks like a reference: `field.reference()`)',
    );
  });

  test('is recognized by an id and a model', () => {
    for (const set of [{ _id: 9 }, { _model: 'author' }, { _id: '9', _model: 'author' }]) {
      const error = invalidContentError([invalid(1, ['set', 'name'], 'required', { set })]);
      expect(error).toMatchObject({ model: 'article', id: 1, field: 'set.name' });
    }
  });
});

describe('ids that several items share', () => {
  test('are one error that lists these items', () => {
    const error = duplicateIdsError(
      new Map([
        ['tea', [article(1), article(2)]],
        ['a"\u001b', [article(3), article(4)]],
      ]),
      'posts',
    );
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({
      model: 'article',
      id: 1,
      hint: 'Make the field unique, or choose another `id` for the loader.',
    });
    expect(linesOf(error)).toEqual([
      'posts: 2 ids are used by several items:',
      '  "tea": article 1 "T1", article 2 "T2"',
      '  "a\\"\\u001b": article 3 "T3", article 4 "T4"',
    ]);
  });

  test('are at most ten, with ten items each', () => {
    const items = Array.from({ length: 12 }, (_, id) => article(id));
    const one = linesOf(duplicateIdsError(new Map([['x', items]]), 'posts'));
    expect(one?.[0]).toBe('posts: 1 id is used by several items:');
    expect(one?.[1]).toMatch(/article 9 "T9", and 2 more$/);
    const many = new Map(Array.from({ length: 13 }, (_, n) => [`id-${n}`, items.slice(0, 2)]));
    expect(linesOf(duplicateIdsError(many, 'posts'))?.slice(-2)).toEqual([
      '  "id-9": article 0 "T0", article 1 "T1"',
      '  and 3 more',
    ]);
    const long = linesOf(duplicateIdsError(new Map([['x'.repeat(200), items]]), 'posts'));
    expect(long?.[1]).toMatch(/^ {2}"x{78}…: /);
  });
});
