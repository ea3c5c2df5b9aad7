import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionKey } from '../../../src/index.ts';

interface Data {
  title: unknown;
  author?: unknown;
  tags?: unknown;
}
const entry = (id: string, data: Partial<Data>, digest?: string) => ({ id, data: data as Data, digest });

describe('the key of a list', () => {
  const list = [
    entry('a', { title: 'A', author: { name: 'Mori', bio: 'x' }, tags: ['t'] }, '1'),
    entry('b', { title: 'B', author: null, tags: [] }, '2'),
  ];
  const [first, second] = list as [(typeof list)[0], (typeof list)[0]];

  test('is the same in every build, so that cached pages stay valid', () => {
    expect(collectionKey([])).toBe(collectionKey([]));
    expect([
      collectionKey(list),
      collectionKey(list, { fields: ['title', 'author'] }),
    ]).toMatchInlineSnapshot(`
      [
        "2-1ii7d2ipcf31tbl9x9x9wv",
        "2-1cchp034hpd28fu5mxc53z",
      ]
    `);
  });

  test('without fields changes with a digest, the order and the members, as `cacheKey` does', () => {
    const lists = [
      list,
      [second, first],
      [first],
      [],
      [first, second, second],
      [first, { ...second, digest: '3' }],
      [first, { ...second, id: 'c' }],
    ];
    expect(new Set(lists.map((one) => collectionKey(one))).size).toBe(lists.length);
    expect(collectionKey([{ ...first, data: { title: 'other' } }])).toBe(collectionKey([first]));
  });

  test('with fields changes with these only, with the order and with the members', () => {
    const keyOf = (entries: typeof list) => collectionKey(entries, { fields: ['title', 'author'] });
    const changed = (data: Partial<Data>) => [first, { ...second, data: { ...second.data, ...data } }];
    expect(keyOf(changed({ tags: ['new'] }))).toBe(keyOf(list));
    expect(keyOf([first, { ...second, digest: 'other' }])).toBe(keyOf(list));
    for (const other of [changed({ title: 'C' }), changed({ author: 7 }), [second, first], [first]])
      expect(keyOf(other)).not.toBe(keyOf(list));
    expect(collectionKey(list, { fields: ['author', 'title'] })).not.toBe(keyOf(list));
  });

  test('follows paths into objects and lists', () => {
    const keyOf = (author: unknown) =>
      collectionKey([entry('a', { title: '', author })], { fields: ['author.name'] as never[] });
    expect(keyOf({ name: 'Mori', bio: 'y' })).toBe(keyOf({ bio: 'x', name: 'Mori' }));
    expect(keyOf([{ name: 'Mori', bio: 'y' }])).toBe(keyOf([{ name: 'Mori' }]));
    const authors = [{ name: 'Mori' }, { name: 'Onishi' }, { name: null }, {}, null, undefined, 5, 6, '', []];
    const keys = [...authors.map(keyOf), keyOf([{ name: 'Mori' }, { name: 'Onishi' }]), keyOf([null])];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf([{ name: 'Mori' }])).not.toBe(keyOf([{ name: 'Onishi' }]));
    expect(keyOf({ name: undefined })).toBe(keyOf({}));
  });

  test('finds properties whose names contain dots', () => {
    const keyOf = (data: object, path: string) =>
      collectionKey([{ id: 'a', data }], { fields: [path as never] });
    expect(keyOf({ 'og.title': 'A' }, 'og.title')).not.toBe(keyOf({ 'og.title': 'B' }, 'og.title'));
    const seo = (title: string) => ({ seo: { 'og.title': title } });
    expect(keyOf(seo('A'), 'seo.og.title')).not.toBe(keyOf(seo('B'), 'seo.og.title'));
  });

  test('is equal for equal dates, URLs, maps and sets, whatever the order of properties', () => {
    const keyOf = (title: unknown) => collectionKey([entry('a', { title })], { fields: ['title'] });
    const make = () => [
      new Date(0),
      new Date(1),
      0,
      '1970-01-01T00:00:00.000Z',
      new URL('https://a.test/'),
      'https://a.test/',
      new Map([['a', 1]]),
      { a: 1 },
      new Set(['a', 1]),
      ['a', 1],
      -0,
      Number.NaN,
      1n,
      1,
      true,
      'true',
      { a: 1, b: { c: 2, d: 3 } },
    ];
    expect(make().map(keyOf)).toEqual(make().map(keyOf));
    expect(new Set(make().map(keyOf)).size).toBe(make().length);
    expect(keyOf({ b: { d: 3, c: 2 }, a: 1 })).toBe(keyOf({ a: 1, b: { c: 2, d: 3 } }));
    expect(keyOf({ a: undefined })).toBe(keyOf({}));
    expect(keyOf({ a: null })).not.toBe(keyOf({}));
  });

  test('is refused without digests and for misspelled fields and values that have no stable key', () => {
    expect(() => collectionKey([entry('b"', { title: '' })])).toThrow(
      'collectionKey: the entry "b\\"" has no digest\n  → Name the fields that the list shows',
    );
    const loaded = [{ id: 'a', data: { _id: 1, _model: 'article', title: '' } }];
    expect(() => collectionKey(loaded, { fields: ['titel' as 'title'] })).toThrow(
      'collectionKey: no entry has the field "titel"\n  → They have _id, _model, title',
    );
    expect(() => collectionKey([entry('a', {})], { fields: ['author'] })).not.toThrow();
    const foreign = [{ id: 'a', data: { _id: 1 } as { _id: number; title?: string } }];
    expect(() => collectionKey(foreign, { fields: ['title'] })).not.toThrow();
    const mixed = [...loaded, { id: 'b', data: { _id: 2, _model: 'page' } as (typeof loaded)[0]['data'] }];
    expect(() => collectionKey(mixed, { fields: ['title'] })).not.toThrow();
    expect(() => collectionKey(loaded.map((one) => ({ ...one, digest: '1' })))).not.toThrow();
    const circle: unknown[] = [];
    circle.push(circle);
    for (const title of [circle, new Error('x'), () => {}, Symbol('x')])
      expect(() => collectionKey([entry('a', { title })], { fields: ['title'] })).toThrow(
        'has no stable key',
      );
  });
});

describe('two lists have equal keys if and only if they show the same', () => {
  // Few values, so that lists are often equal, and strings that imitate what is around them.
  const text = fc.constantFrom('', 'a', 'b', 's1:a', '"]', ',', '\n', 'null;', '1[', 'a;s1:b');
  const scalar = fc.oneof(
    text,
    fc.constantFrom(null, 0, 1, true, false),
    fc.constantFrom(0, 1).map((time) => new Date(time)),
  );
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('name', 'a', 's1:a'), scalar, { maxKeys: 2, noNullPrototype: true }),
  );
  const data = fc.record({ title: value, author: value, tags: value }, { requiredKeys: ['title'] });
  const entries = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'a,b'), data }), { maxLength: 3 });
  const pair = fc.oneof(
    fc.tuple(entries, entries),
    // The same list, with one field of one entry replaced, perhaps by itself.
    fc
      .tuple(entries, fc.nat(2), fc.constantFrom('title', 'author', 'tags'), value)
      .map(([list, index, name, next]) => [
        list,
        list.map((one, at) => (at === index ? { ...one, data: { ...one.data, [name]: next } } : one)),
      ]),
    entries.map((list) => [list, [...list].reverse()]),
  );
  const fields = fc.subarray(['title', 'author', 'tags'] as const);

  test('for fields', () => {
    let equal = 0;
    fc.assert(
      fc.property(pair, fields, ([one, other], named) => {
        const shown = (list: typeof one) =>
          list?.map((item) => [
            item.id,
            named.map((name) => (name in item.data ? { is: item.data[name] } : 'unset')),
          ]);
        const isEqual = isDeepStrictEqual(shown(one), shown(other));
        if (isEqual) equal += 1;
        const keyOf = (list: typeof one = []) => collectionKey(list, { fields: named as never[] });
        expect(keyOf(one) === keyOf(other)).toBe(isEqual);
      }),
      { numRuns: 3000 },
    );
    expect(equal).toBeGreaterThan(300);
  });
});

test('a collection can be read by its name in a page of Astro only', async () => {
  await expect(collectionKey('articles')).rejects.toThrow(
    'collectionKey: the collection "articles" can only be read in a page of Astro',
  );
});
