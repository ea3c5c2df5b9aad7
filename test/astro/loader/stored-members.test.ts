import { describe, expect, test } from 'vitest';
import { planLoader } from '../../../src/astro/loader/loader-options.ts';
import {
  countMembers,
  membersByLanguage,
  orderedItem,
  readMembers,
  type StoredMembers,
  storedMember,
  storeMembers,
} from '../../../src/astro/loader/stored-members.ts';
import type { Entry } from '../../../src/entries/collection.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import { at, content } from '../../replica/wire-items.ts';

const models = { article: { title: field.text({ title: true }), on: field.boolean() } };
const { settings } = defineSpace({ models, languages: { main: 'ja', sub: ['en'] } });
const planOf = (options: object = {}) => planLoader(models, settings, 'article', options);
const ORDERED = planOf({ neighbours: { order: ['-title', '_created_at'] } });

const entryOf = (id: string, itemId: number, lang?: string): Entry => ({
  id,
  item: content(itemId),
  languageItems: { lang } as Entry['languageItems'],
  computed: {},
});

describe('a stored member', () => {
  test('has the content ID and the entry id', () => {
    expect(storedMember(planOf(), { id: 'a', item: content(7, { title: 'A' }) })).toEqual([7, 'a']);
  });

  test('has the values that decide its place, in the order of their fields', () => {
    const item = content(7, { title: 'A', _created_at: at(7) });
    expect(storedMember(ORDERED, { id: 'a', item })).toEqual([7, 'a', 'A', at(7)]);
  });

  test('has null for a missing value, so that it is equal after it was stored', () => {
    const member = storedMember(ORDERED, { id: 'a', item: content(7, { _created_at: at(7) }) });
    expect(member).toEqual([7, 'a', null, at(7)]);
    expect(JSON.parse(JSON.stringify(member))).toEqual(member);
  });

  test('keeps the place of its item', () => {
    const items = [
      content(5, { title: 'B', _created_at: at(1) }),
      content(6, { title: 'A', _created_at: at(9) }),
      content(7, { title: 'A', _created_at: at(2) }),
      content(8, { title: 'A', _created_at: at(2) }),
      content(9, { title: null }),
    ];
    const members = items.map((item) => storedMember(ORDERED, { id: 'x', item }));
    const stored = (JSON.parse(JSON.stringify(members)) as typeof members).map((member) =>
      orderedItem(ORDERED, member),
    );
    const ids = (list: { readonly _id: number }[]) => list.map(({ _id }) => _id);
    expect(ids(stored.sort(ORDERED.order))).toEqual(ids(items.sort(ORDERED.order)));
  });

  test('ordered by its id has that of its content', () => {
    const plan = planOf({ neighbours: { order: '_id' } });
    expect(orderedItem(plan, storedMember(plan, { id: 'a', item: content(7) }))).toEqual({ _id: 7 });
  });
});

describe('the members of a collection', () => {
  test('are listed for each of its languages, in the order of `langs`', () => {
    const entries = [entryOf('ja/1', 1, 'ja'), entryOf('en/1', 1, 'en'), entryOf('ja/2', 2, 'ja')];
    expect(membersByLanguage(planOf({ langs: ['en', 'ja'] }), entries)).toEqual([
      [[1, 'en/1']],
      [
        [1, 'ja/1'],
        [2, 'ja/2'],
      ],
    ]);
  });

  test('are an empty list for a language without entries', () => {
    expect(membersByLanguage(planOf({ langs: ['en', 'ja'] }), [entryOf('ja/1', 1, 'ja')])).toEqual([
      [],
      [[1, 'ja/1']],
    ]);
    expect(membersByLanguage(planOf(), [])).toEqual([[]]);
  });

  test('are one list with `lang`, or without languages', () => {
    expect(membersByLanguage(planOf({ lang: 'en' }), [entryOf('1', 1, 'en')])).toEqual([[[1, '1']]]);
    expect(membersByLanguage(planOf(), [entryOf('1', 1)])).toEqual([[[1, '1']]]);
  });

  test('are counted in all languages', () => {
    const languages = [
      [[1, 'ja/1']],
      [],
      [
        [1, 'en/1'],
        [2, 'en/2'],
      ],
    ] as StoredMembers['languages'];
    expect(countMembers({ configuration: '', replicas: [], languages })).toBe(3);
    expect(countMembers({ configuration: '', replicas: [], languages: [] })).toBe(0);
  });
});

describe('stored members', () => {
  const members: StoredMembers = {
    configuration: 'c',
    replicas: ['a', 'b'],
    languages: [[[1, 'x', null, 'y']]],
  };
  const openMeta = () => new AstroStore().context('articles', () => {}).meta;

  test('are read as they were stored', () => {
    const meta = openMeta();
    expect(readMembers(meta)).toBeUndefined();
    storeMembers(meta, members);
    expect(readMembers(meta)).toEqual(members);
  });

  test('are removed by `undefined`', () => {
    const meta = openMeta();
    storeMembers(meta, members);
    storeMembers(meta, undefined);
    expect(readMembers(meta)).toBeUndefined();
  });
});
