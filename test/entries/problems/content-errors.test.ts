import { describe, expect, test } from 'vitest';
import {
  counted,
  duplicateIds,
  firstFew,
  type InvalidItem,
  invalidContent,
  nameOf,
} from '../../../src/entries/problems/content-errors.ts';
import { LuidContentError } from '../../../src/index.ts';
import { wire } from '../../models/content.ts';

const article = (id: number, fields: Record<string, unknown> = {}) =>
  wire('article', { _title: `T${id}`, ...fields }, id);
const invalid = (id: number, path: PropertyKey[], message = 'expected x', fields = {}): InvalidItem => ({
  data: article(id, fields),
  issues: [{ path, message }],
});
/** Without the hint that follows. */
const linesOf = (error: LuidContentError) => error.message.split('\n  →')[0]?.split('\n');

describe('names and counts', () => {
  test('an item is named by model, id and title', () => {
    expect(nameOf(article(5))).toBe('article 5 "T5"');
    expect(nameOf(article(5, { _title: 'a "b"\u001b' }))).toBe('article 5 "a \\"b\\"\\u001b"');
    expect(nameOf(article(5, { _title: 'x'.repeat(100) }))).toBe(`article 5 "${'x'.repeat(58)}…`);
    expect(nameOf(article(5, { _title: null }))).toBe('article 5');
    expect(nameOf(article(5, { _model: 7, _title: '' }))).toBe('content 5 ""');
    expect(nameOf(article(5, { _model: 'm'.repeat(100) }))).toBe(`${'m'.repeat(59)}… 5 "T5"`);
  });

  test('a count has its noun', () => {
    expect([0, 1, 2, 1204].map((count) => counted(count, 'item'))).toEqual([
      '0 items',
      '1 item',
      '2 items',
      '1,204 items',
    ]);
    expect(counted(1, 'entry', 'entries')).toBe('1 entry');
    expect(counted(3, 'entry', 'entries')).toBe('3 entries');
  });

  test('a list is cut, and says by how much', () => {
    expect(firstFew(['a', 'b'], 2)).toEqual(['a', 'b']);
    expect(firstFew(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more']);
    expect(
      firstFew(
        Array.from({ length: 3000 }, (_, n) => `${n}`),
        1,
      ),
    ).toEqual(['0', 'and 2,999 more']);
  });
});

describe('items that do not fit their model', () => {
  test('are one error, which names the first and what to do', () => {
    const error = invalidContent([invalid(1, ['title'], 'required'), invalid(2, ['lead'])]);
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({
      model: 'article',
      id: 1,
      field: 'title',
      hint: 'Run `npx luid check` to compare the models with the content. `onInvalid: "skip"` leaves such entries out.',
    });
    expect(linesOf(error)).toEqual([
      '2 items do not fit the declared models:',
      '  article.title: 1 item',
      '    article 1 "T1": required',
      '  article.lead: 1 item',
      '    article 2 "T2": expected x',
    ]);
  });

  test('are advised to be skipped only where they are not', () => {
    expect(invalidContent([invalid(1, ['title'])], true).hint).toBe(
      'Run `npx luid check` to compare the models with the content.',
    );
  });

  test('are formatCount by field, whatever their place in a list is', () => {
    const error = invalidContent([
      invalid(1, ['list', 0, 'to']),
      invalid(1, ['list', 3, 'to'], 'another'),
      invalid(2, ['list', 12, 'to']),
    ]);
    expect(error.field).toBe('list[0].to');
    expect(linesOf(error)).toEqual([
      '2 items do not fit the declared models:',
      '  article.list[].to: 2 items',
      '    article 1 "T1" list[0].to: expected x',
      '    article 2 "T2" list[12].to: expected x',
    ]);
  });

  test('are not formatCount with a field of another place', () => {
    const error = invalidContent([
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

  test('may be none', () => {
    expect(linesOf(invalidContent([]))?.[0]).toBe('0 items do not fit the declared models:');
    expect(linesOf(duplicateIds(new Map(), 'posts'))?.[0]).toBe('posts: 0 ids belong to several items:');
  });

  test('as a whole have no field', () => {
    const error = invalidContent([invalid(1, [], 'broken')]);
    expect(error.field).toBeUndefined();
    expect(linesOf(error)).toEqual([
      '1 item does not fit the declared models:',
      '  article: 1 item',
      '    article 1 "T1": broken',
    ]);
  });

  test('have a likely cause, judged by all of their values', () => {
    const values = ['a', 'b'].map((title, index) => invalid(index, ['title'], 'expected x', { title }));
    expect(linesOf(invalidContent(values))?.[1]).toBe('  article.title: 2 items (found "a", "b")');
    const odd = invalidContent([invalid(1, ['a', 'b', 'c'], 'expected x', { a: { b: null } })]);
    expect(linesOf(odd)?.[1]).toBe('  article.a.b.c: 1 item');
  });

  test('are three examples for each of twenty fields at most', () => {
    const same = [1, 2, 3, 4, 5].map((id) => invalid(id, ['title']));
    expect(linesOf(invalidContent(same))?.slice(-2)).toEqual([
      '    article 3 "T3": expected x',
      '    and 2 more',
    ]);
    const many = (count: number) =>
      linesOf(invalidContent(Array.from({ length: count }, (_, n) => invalid(1, [`f${n}`]))));
    expect(many(20)?.at(-2)).toBe('  article.f19: 1 item');
    expect(many(22)?.slice(-3)).toEqual([
      '  article.f19: 1 item',
      '    article 1 "T1": expected x',
      '  and 2 more fields',
    ]);
  });

  test('are printed on one line each, without what could take over a terminal', () => {
    const error = invalidContent([invalid(1, ['a\u001b'.repeat(200)], `b\u001b${'c'.repeat(400)}`)]);
    const [, group, line] = linesOf(error) as [string, string, string];
    expect(group).toMatch(/^ {2}article\.a\\u001ba/);
    expect(group.split('\\u001b')).toHaveLength(60);
    expect(line).toHaveLength('    article 1 "T1": '.length + 300 + '\\u001b'.length - 1);
  });
});

describe('an embedded item', () => {
  const author = (fields: object = {}) => ({ _id: 9, _model: 'author', _title: 'Mori', name: '', ...fields });

  test('is at fault itself, once, however many embed it', () => {
    const error = invalidContent([
      invalid(1, ['author', 'name'], 'required', { author: author() }),
      invalid(2, ['list', 0, 'by', 'name'], 'required', { list: [{ by: author() }] }),
    ]);
    expect(error).toMatchObject({ model: 'author', id: 9, field: 'name' });
    expect(linesOf(error)).toEqual([
      '1 item does not fit the declared models:',
      '  author.name: 1 item',
      '    author 9 "Mori": required',
    ]);
  });

  test('is the last one on the path', () => {
    const friend = { _id: 10, _model: 'author', _title: 'Sato', name: 5 };
    const fields = { author: author({ friend }) };
    const error = invalidContent([invalid(1, ['author', 'friend', 'name'], 'expected text', fields)]);
    expect(error).toMatchObject({ model: 'author', id: 10, field: 'name' });
  });

  test('is not at fault where it is itself what was not expected', () => {
    const error = invalidContent([invalid(1, ['author'], 'expected text', { author: author() })]);
    expect(error).toMatchObject({ model: 'article', id: 1, field: 'author' });
    expect(linesOf(error)?.[1]).toBe(
      '  article.author: 1 item (looks like a reference: `field.reference()`)',
    );
  });

  test('is content only with an id and a model', () => {
    for (const set of [{ _id: 9 }, { _model: 'author' }, { _id: '9', _model: 'author' }]) {
      const error = invalidContent([invalid(1, ['set', 'name'], 'required', { set })]);
      expect(error).toMatchObject({ model: 'article', id: 1, field: 'set.name' });
    }
  });
});

describe('ids that several items have', () => {
  test('are one error, with all of these items', () => {
    const error = duplicateIds(
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
      'posts: 2 ids belong to several items:',
      '  "tea": article 1 "T1", article 2 "T2"',
      '  "a\\"\\u001b": article 3 "T3", article 4 "T4"',
    ]);
  });

  test('are ten with ten items each at most', () => {
    const items = Array.from({ length: 12 }, (_, id) => article(id));
    const one = linesOf(duplicateIds(new Map([['x', items]]), 'posts'));
    expect(one?.[0]).toBe('posts: 1 id belongs to several items:');
    expect(one?.[1]).toMatch(/article 9 "T9", and 2 more$/);
    const many = new Map(Array.from({ length: 13 }, (_, n) => [`id-${n}`, items.slice(0, 2)]));
    expect(linesOf(duplicateIds(many, 'posts'))?.slice(-2)).toEqual([
      '  "id-9": article 0 "T0", article 1 "T1"',
      '  and 3 more',
    ]);
    const long = linesOf(duplicateIds(new Map([['x'.repeat(200), items]]), 'posts'));
    expect(long?.[1]).toMatch(/^ {2}"x{78}…: /);
  });
});
