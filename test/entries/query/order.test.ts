import { describe, expect, test } from 'vitest';
import { DEFAULT_ORDER } from '../../../src/contract/parameters.ts';
import { checkOrder, compileOrder } from '../../../src/entries/query/order.ts';
import { field, LuidConfigError } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';

const models = {
  post: {
    title: field.text(),
    lead: field.multiline(),
    hot: field.boolean(),
    kind: field.select(['a', 'b']),
    at: field.datetime(),
    body: field.flexibleText(),
    tags: field.multiSelect(),
    // Named like a system property, which comes first.
    _status: field.media(),
  },
} as const satisfies ModelMap;

type Order = string | readonly string[];

/** The ids of these items, numbered from 1 and passed in reverse, in an order. */
function sorted(order: Order, ...items: Record<string, unknown>[]): number[] {
  const contents = items.map((fields, index) => wire('post', fields, index + 1)).reverse();
  const { keysOf, compare } = compileOrder(models, 'post', order);
  const byKeys = contents.toSorted((a, b) => compare(keysOf(a), keysOf(b)));
  // Keys are stored.
  const storedKeysOf = (item: (typeof contents)[number]) =>
    JSON.parse(JSON.stringify(keysOf(item))) as ReturnType<typeof keysOf>;
  expect(contents.toSorted((a, b) => compare(storedKeysOf(a), storedKeysOf(b)))).toEqual(byKeys);
  return byKeys.map(({ _id }) => _id);
}

describe('items are ordered', () => {
  test.each(['title', 'lead', 'kind'])('by the text of %s', (luid) => {
    const items = ['m', 'z', 'a'].map((text) => ({ [luid]: text }));
    expect(sorted(luid, ...items)).toEqual([3, 1, 2]);
    expect(sorted(`-${luid}`, ...items)).toEqual([2, 1, 3]);
  });

  test('by true and false, false first', () => {
    const items = [{ hot: true }, { hot: false }, { hot: true }];
    expect(sorted('hot', ...items)).toEqual([2, 1, 3]);
    expect(sorted('-hot', ...items)).toEqual([1, 3, 2]);
  });

  test('numerically, not as strings', () => {
    expect(sorted('_id', ...Array.from({ length: 11 }, () => ({})))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(sorted('-_id', {}, {}, {})).toEqual([3, 2, 1]);
  });

  test.each(['at', '_created_at', '_updated_at', '_published_at', '_last_published_at'])(
    'by the instant of %s, however it is written',
    (luid) => {
      const times = ['2026-01-01T01:00:00Z', '2026-01-01T09:00:00+09:00', '2026-01-01T00:30:00'];
      const items = times.map((time) => ({ [luid]: time }));
      expect(sorted(luid, ...items)).toEqual([2, 3, 1]);
      expect(sorted(`-${luid}`, ...items)).toEqual([1, 3, 2]);
    },
  );

  test('by several fields, as one string or as a list, each in its own direction', () => {
    const items = [
      { kind: 'b', title: 'x' },
      { kind: 'a', title: 'x' },
      { kind: 'a', title: 'y' },
    ];
    expect(sorted('kind,-title', ...items)).toEqual([3, 2, 1]);
    expect(sorted(['-kind', 'title'], ...items)).toEqual([1, 2, 3]);
  });

  test('by id if all else is equal, in either direction', () => {
    const items = [{ title: 'same' }, { title: 'same' }, { title: 'same' }];
    expect(sorted('title', ...items)).toEqual([1, 2, 3]);
    expect(sorted('-title', ...items)).toEqual([1, 2, 3]);
  });

  test('by their creation unless an order is given, the newest first', () => {
    const items = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z'];
    expect(sorted(DEFAULT_ORDER, ...items.map((_created_at) => ({ _created_at })))).toEqual([2, 1, 3]);
  });

  test('by a system property rather than by a field of the same name', () => {
    expect(sorted('_status', { _status: 'published' }, { _status: 'draft' })).toEqual([2, 1]);
  });
});

describe('empty values are last, and first in descending order', () => {
  test.each([
    ['title', '', 'a'],
    ['title', null, 'a'],
    ['title', undefined, 'a'],
    ['title', ['odd'], 'a'],
    ['at', null, '2026-01-01T00:00:00Z'],
    ['at', 'no time', '2026-01-01T00:00:00Z'],
    ['at', 5, '2026-01-01T00:00:00Z'],
    ['at', ['2025-01-01T00:00:00Z'], '2026-01-01T00:00:00Z'],
    ['hot', null, false],
  ])('%s as %j', (luid, empty, filled) => {
    const items = [{ [luid]: empty }, { [luid]: filled }, { [luid]: empty }];
    expect(sorted(luid, ...items)).toEqual([2, 1, 3]);
    expect(sorted(`-${luid}`, ...items)).toEqual([1, 3, 2]);
  });
});

test('an order depends on the fields that it names, in either direction', () => {
  expect(compileOrder(models, 'post', '-kind,title').fields).toEqual(['kind', 'title']);
  expect(compileOrder(models, 'post', ['_id', '-at']).fields).toEqual(['_id', 'at']);
});

describe('an order is rejected', () => {
  const refusal = (order: Order, model = 'post', place?: string) => {
    try {
      compileOrder(models, model, order, place);
    } catch (error) {
      if (error instanceof LuidConfigError) return error;
      throw error;
    }
    throw new Error('It was not refused.');
  };
  const ALL =
    'title, lead, hot, kind, at, body, tags, _status, _id, _model, _title, _created_at, _updated_at, _published_at, _last_published_at, _status, _space';

  test('by an unknown field', () => {
    expect(refusal('-titel')).toMatchObject({
      message: expect.stringMatching(/^order names 'titel', which is not a field of post\n/),
      model: 'post',
      field: 'titel',
      hint: `Did you mean 'title'? Use one of ${ALL}, with a leading - for descending.`,
    });
    expect(refusal(['title', 'xxxxxxxx'], 'post', 'neighbours').message).toContain(
      "neighbours names 'xxxxxxxx', which is not a field of post",
    );
    expect(refusal('title', 'page').message).toContain('which is not a field of page');
  });

  test('by a field of a type without an order', () => {
    for (const [luid, type] of [
      ['body', 'flexible_text'],
      ['tags', 'multi_select'],
    ] as const) {
      expect(refusal(`title,${luid}`)).toMatchObject({
        message: expect.stringMatching(`^order names '${luid}', whose type ${type} has no order\n`),
        model: 'post',
        field: luid,
        hint: 'Use one of title, lead, hot, kind, at, _id, _model, _title, _created_at, _updated_at, _published_at, _last_published_at, _status, _space.',
      });
    }
    expect(refusal('body', 'post', 'neighbours').message).toContain("neighbours names 'body'");
  });

  test('by an unknown field, also if only names are checked', () => {
    expect(() => checkOrder(models, 'post', 'titel')).toThrow("order names 'titel'");
    expect(() => checkOrder(models, 'post', 'titel', 'live: order')).toThrow("live: order names 'titel'");
    expect(() => checkOrder(models, 'post', 'body,-_id')).not.toThrow();
    expect(() => checkOrder(models, 'page', '_id')).not.toThrow();
  });
});
