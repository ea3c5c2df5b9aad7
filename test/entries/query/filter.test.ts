import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../src/entries/query/filter.ts';
import { field, LuidConfigError } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';
import { itemsWithoutLanguage } from '../test-language-items.ts';

const small = {
  author: { name: field.text(), friend: field.reference('author') },
  shop: { name: field.boolean(), city: field.text() },
  article: {
    title: field.text(),
    at: field.datetime(),
    author: field.reference('author'),
    any: field.reference(),
    list: field.repeat({ note: field.text(), by: field.reference('author') }),
    seo: field.fieldSet({ description: field.text() }),
  },
} as const satisfies ModelMap;

const mori = wire('author', { name: 'Mori', friend: 1 }, 1);
const tea = wire('shop', { name: true, city: 'Uji' }, 2);

/** Whether an article with these fields matches. */
function matches(where: Record<string, unknown>, fields: Record<string, unknown>): boolean {
  const filter = compileFilter(small, 'article', where as never);
  return filter(wire('article', fields, 9), itemsWithoutLanguage(mori, tea));
}

describe('an item matches', () => {
  test('if all conditions match, ignoring those that are undefined', () => {
    expect(matches({}, {})).toBe(true);
    expect(matches({ title: undefined, at: { lt: undefined } }, { title: 'a' })).toBe(true);
    expect(matches({ title: { eq: 'a', contains: 'b' } }, { title: 'a' })).toBe(false);
  });

  test.each([
    [{ lt: 10 }, [true, false, false]],
    [{ lte: 10 }, [true, true, false]],
    [{ gt: 10 }, [false, false, true]],
    [{ gte: 10 }, [false, true, true]],
  ])('by time: %j', (hours, expected) => {
    const time = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00`;
    for (const luid of ['at', '_created_at', '_published_at']) {
      const where = Object.fromEntries(
        Object.entries(hours).map(([operator, hour]) => [operator, `${time(hour)}Z`]),
      );
      const found = [9, 10, 11].map((hour) => matches({ [luid]: where }, { [luid]: time(hour) }));
      expect(found).toEqual(expected);
    }
  });

  test.each([null, '', 'soon', 5, ['2026-01-01T00:00:00Z']])(
    'by no time if its value is not one: %j',
    (at) => {
      for (const operator of ['lt', 'lte', 'gt', 'gte']) {
        expect(matches({ at: { [operator]: '2026-06-01T00:00:00Z' } }, { at })).toBe(false);
      }
    },
  );

  test('by an empty string if the value is missing', () => {
    for (const title of [null, undefined, '']) {
      expect(matches({ title: { eq: '' } }, { title })).toBe(true);
      expect(matches({ title: { in: ['x', ''] } }, { title })).toBe(true);
      expect(matches({ title: { contains: '' } }, { title })).toBe(true);
      for (const word of ['null', 'undefined', 's', 'e']) {
        expect(matches({ title: { contains: word } }, { title })).toBe(false);
        expect(matches({ _title: { contains: word } }, { _title: title })).toBe(false);
      }
    }
  });

  test('by a system property', () => {
    const fields = { _title: 'Tea', _space: 'shop', _status: 'draft' };
    expect(matches({ _model: { eq: 'article' }, _space: { in: ['shop'] } }, fields)).toBe(true);
    expect(matches({ _model: { eq: 'author' } }, fields)).toBe(false);
    expect(matches({ _space: { eq: 'other' } }, fields)).toBe(false);
    expect(matches({ _title: { eq: 'Tea' } }, fields)).toBe(true);
    expect(matches({ _title: { in: ['Tea'] } }, fields)).toBe(true);
    expect(matches({ _id: { eq: 9 }, _status: { in: ['draft'] } }, fields)).toBe(true);
  });

  test('by a reference that is an id or content', () => {
    expect(matches({ author: { eq: 1 } }, { author: 1 })).toBe(true);
    expect(matches({ author: { eq: 1 } }, { author: { _id: 1, _model: 'author' } })).toBe(true);
    expect(matches({ author: { in: [2, 3] } }, { author: { _id: 1 } })).toBe(false);
    expect(matches({ title: { eq: 'x' } }, { title: { _id: 'x' } })).toBe(false);
  });

  test('by no reference that leads nowhere', () => {
    expect(matches({ author: { eq: 5 } }, { author: 5 })).toBe(false);
    expect(matches({ author: { in: [5, 1] } }, { author: 5 })).toBe(false);
    expect(matches({ 'list.by': { eq: 5 } }, { list: [{ by: 5 }] })).toBe(false);
    expect(matches({ 'list.by': { eq: 1 } }, { list: [{ by: 5 }, { by: 1 }] })).toBe(true);
  });

  test('by the id of content of an undeclared model, if the reference names no models', () => {
    expect(matches({ any: { eq: 77 } }, { any: 77 })).toBe(true);
    expect(matches({ author: { eq: 77 } }, { author: 77 })).toBe(false);
  });

  test.each([[[null]], [['x', 5]], ['x'], [5]])('by no group if there is none: %j', (value) => {
    expect(matches({ 'list.note': { eq: '' } }, { list: value })).toBe(false);
    expect(matches({ 'seo.description': { eq: 'a' } }, { seo: value })).toBe(false);
  });

  test('by a field of referenced content, if that has the field', () => {
    expect(matches({ 'author.name': { eq: 'Mori' } }, { author: 1 })).toBe(true);
    expect(matches({ 'author.name': { eq: 'Sato' } }, { author: { _model: 'author', name: 'Sato' } })).toBe(
      true,
    );
    expect(matches({ 'any.city': { eq: 'Uji' } }, { any: 2 })).toBe(true);
    expect(matches({ 'any.name': { eq: true } }, { any: 2 })).toBe(true);
    expect(matches({ 'any.name': { in: ['Mori', false] } }, { any: 1 })).toBe(true);
    for (const any of [1, 7, null, 'x', { _model: 'page', city: 'Uji' }]) {
      expect(matches({ 'any.city': { eq: '' } }, { any })).toBe(false);
      expect(matches({ 'any.city': { contains: '' } }, { any })).toBe(false);
    }
  });

  test('by the plain text of referenced content, in the format of that model’s field', () => {
    const mixed = {
      note: { body: field.text() },
      page: { body: field.flexibleText() },
      article: { any: field.reference() },
    };
    const filter = compileFilter(mixed, 'article', { 'any.body': { contains: 'h2' } });
    const languageItems = itemsWithoutLanguage(
      wire('note', { body: 'about <h2>' }, 1),
      wire('page', { body: '<h2>about</h2>' }, 2),
      wire('page', { body: '<p>h2</p>' }, 3),
    );
    expect([1, 2, 3].map((any) => filter(wire('article', { any }, 9), languageItems))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('by a repeat if one entry matches, and by a missing field set as if it were empty', () => {
    expect(matches({ 'list.note': { eq: 'b' } }, { list: [{ note: 'a' }, { note: 'b' }] })).toBe(true);
    expect(matches({ 'list.by': { eq: 1 } }, { list: [{ by: 2 }, { by: 1 }] })).toBe(true);
    for (const list of [null, undefined, []]) {
      expect(matches({ 'list.note': { eq: '' } }, { list })).toBe(false);
    }
    expect(matches({ 'seo.description': { eq: '' } }, { seo: null })).toBe(true);
    expect(matches({ 'seo.description': { eq: 'x' } }, { seo: { description: 'x' } })).toBe(true);
  });
});

describe('the error about a filter', () => {
  const refusal = (where: Record<string, unknown>, model = 'article', place?: string) => {
    try {
      compileFilter(small, model, where as never, place);
    } catch (error) {
      if (error instanceof LuidConfigError) return error;
      throw error;
    }
    throw new Error('It was not refused.');
  };
  const firstLine = (error: Error) => error.message.split('\n')[0];
  const SYSTEM =
    '_id, _model, _title, _created_at, _updated_at, _published_at, _last_published_at, _status, _space';

  test('names an unknown path and the known ones', () => {
    const error = refusal({ titel: { eq: 'a' } });
    expect(firstLine(error)).toBe("where names 'titel', which is not a field of article");
    expect(error).toMatchObject({
      model: 'article',
      field: 'titel',
      hint: `Did you mean 'title'? Use one of title, at, author, any, list, seo, ${SYSTEM}, or a path into a field set, repeat or reference such as 'author.name'.`,
    });
    expect(refusal({ citty: { eq: 'a' } }, 'shop').hint).toBe(
      `Did you mean 'city'? Use one of name, city, ${SYSTEM}, or a path into a field set, repeat or reference.`,
    );
  });

  test('names the option that the filter was passed to', () => {
    expect(firstLine(refusal({ x: { eq: 1 } }, 'article', 'loader'))).toMatch(/^loader: where names 'x', /);
  });

  test.each([
    ['seo.descriptoin', 'seo.description'],
    ['list.noet', 'list.note'],
    ['any.ctiy', 'any.city'],
    ['author.frined', 'author.friend'],
  ])('suggests a path: %s', (path, close) => {
    expect(refusal({ [path]: { eq: 'a' } }).hint).toContain(`Did you mean '${close}'?`);
  });

  test.each(['author.friend.name', 'list.by.name', '_title.x', 'title.x', 'title.length', 'author.city', ''])(
    'refuses the path %j',
    (path) => {
      expect(firstLine(refusal({ [path]: { eq: 'a' } }))).toBe(
        `where names '${path}', which is not a field of article`,
      );
    },
  );

  test('names the expected type of an operand', () => {
    const problem = (where: Record<string, unknown>) => firstLine(refusal(where));
    expect(problem({ title: { in: ['a', 5] } })).toMatch(
      /^where: title\[in\] must be a list, each a string, got /,
    );
    expect(problem({ title: { contains: ['a', 5] } })).toMatch(/must be a string or a list of strings, got /);
    expect(problem({ 'any.name': { eq: 5 } })).toBe(
      'where: any.name[eq] must be a string or true or false, got 5',
    );
    expect(problem({ _status: { eq: 5 } })).toBe('where: _status[eq] must be a string, got 5');
    expect(problem({ _id: { eq: '5' } })).toBe("where: _id[eq] must be a content id (a number), got '5'");
    expect(problem({ at: { lt: new Date(Number.NaN) } })).toMatch(
      /^where: at\[lt\] must be a Date or an ISO 8601/,
    );
  });

  test('names the operators that a path allows, with its model and field', () => {
    expect(refusal({ 'any.name': { lt: 'a' } })).toMatchObject({
      message: expect.stringMatching(/^where: any\.name\[lt\] is not allowed for this type\n/),
      model: 'article',
      field: 'any.name',
      hint: 'any.name allows eq, in, contains.',
    });
    expect(refusal({ _status: { contains: 'a' } }).hint).toBe('_status allows eq, in.');
    expect(refusal({ _title: { lt: 'a' } }).hint).toBe('_title allows eq, in, contains.');
    expect(refusal({ _created_at: { eq: 'a' } }).hint).toBe('_created_at allows lt, lte, gt, gte.');
    expect(refusal({ title: { containz: 'a' } })).toMatchObject({
      model: 'article',
      field: 'title',
      hint: "Did you mean 'contains'? title allows eq, in, contains.",
    });
    expect(refusal({ title: 'a' })).toMatchObject({
      model: 'article',
      field: 'title',
      hint: "Write { eq: 'a' }. title allows eq, in, contains.",
    });
  });
});
