import { describe, expect, test } from 'vitest';
import type { WireList } from '../../../src/contract/content.ts';
import { createPageReader, idsOf, knownPagesOf, pagesKey } from '../../../src/replica/read/page-bytes.ts';
import { hashOf } from '../../../src/replica/store/segments/segments.ts';
import { PACKAGE_VERSION } from '../../../src/shared/package-version.ts';
import { at, range } from '../fake-source.ts';

const listOf = (data: WireList['data'], total = data.length): WireList => ({
  total,
  offset: 0,
  limit: 100,
  data,
});
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A page as the source returns it when it is read for the first time. */
function firstRead(list: WireList, text = JSON.stringify(list)) {
  const reader = createPageReader(undefined, JSON.parse);
  expect(reader.recognize(bytesOf(text))).toBeUndefined();
  return reader.pageOf(list);
}

const LIST = listOf(range(3));
const TEXT = JSON.stringify(LIST);
const [KNOWN] = knownPagesOf([firstRead(LIST)]) ?? [];

describe('a page with the bytes of the last time', () => {
  test('is recognized, and parsed only when its data is used', () => {
    const parsed: string[] = [];
    const parse = (text: string) => {
      parsed.push(text);
      return JSON.parse(text) as WireList;
    };
    const reader = createPageReader(KNOWN, parse);
    const page = reader.pageOf(reader.recognize(bytesOf(TEXT)) as never);
    expect([page.total, idsOf(page), page.known]).toEqual([3, [1, 2, 3], KNOWN]);
    expect(parsed).toEqual([]);
    expect([page.data, page.offset, page.limit]).toEqual([LIST.data, 0, 100]);
    expect(parsed).toEqual([TEXT]);
  });

  test('is stored as it was', () => {
    const page = createPageReader(KNOWN, JSON.parse).recognize(bytesOf(TEXT));
    expect(knownPagesOf([page as never])).toEqual([KNOWN]);
  });
});

describe('a page is not recognized', () => {
  test.each([
    ['of the same length', TEXT.replace('"_id":2', '"_id":4')],
    ['with its items in another order', JSON.stringify(listOf(range(3).reverse()))],
    ['with its properties in another order', TEXT.replace('"total":3,"offset":0', '"offset":0,"total":3')],
    ['with another total', TEXT.replace('"total":3', '"total":4')],
    ['with white space', `${TEXT}\n`],
    ['that is empty', ''],
    ['that is cut off', TEXT.slice(0, -1)],
  ])('%s', (_, text) => {
    expect(text).not.toBe(TEXT);
    expect(createPageReader(KNOWN, JSON.parse).recognize(bytesOf(text))).toBeUndefined();
  });

  test('if only the beginning of its hash is the same', () => {
    const similar = { ...(KNOWN as NonNullable<typeof KNOWN>), hash: `${hashOf(TEXT).slice(0, 63)}x` };
    expect(createPageReader(similar, JSON.parse).recognize(bytesOf(TEXT))).toBeUndefined();
  });
});

describe('pages are stored', () => {
  const [first, second] = [listOf(range(100), 101), listOf(range(2, 100), 101)];

  test('with their ids, and the hashes of what they share', () => {
    const pages = knownPagesOf([firstRead(first), firstRead(second)]);
    expect(pages?.map(({ total, ids }) => [total, ids.length])).toEqual([
      [101, 100],
      [101, 2],
    ]);
    expect(pages?.[0]?.ends[1]).toBe(pages?.[1]?.ends[0]);
  });

  test('not if two of them contain another version of the item that they share', () => {
    const edited = listOf([at(100, 100, { title: 'edited' }), at(101)], 101);
    expect(knownPagesOf([firstRead(first), firstRead(edited)])).toBeUndefined();
  });

  test('not if the bytes of one are not known', () => {
    expect(knownPagesOf([firstRead(first), second])).toBeUndefined();
    expect(knownPagesOf([])).toBeUndefined();
  });

  test('if there is no content', () => {
    expect(knownPagesOf([firstRead(listOf([]))])).toMatchObject([{ total: 0, ids: [], ends: [] }]);
  });
});

test('pages of other models, another model map or another version are stored under another key', () => {
  const map = { article: { title: { type: 'text' } }, page: {} } as const;
  const keys = [
    pagesKey(map, ['article']),
    pagesKey(map, ['article', 'page']),
    pagesKey({ article: { title: { type: 'multiline' } }, page: {} }, ['article']),
    pagesKey(map, ['article'], `${PACKAGE_VERSION}-next`),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(pagesKey(map, ['article'])).toBe(keys[0]);
});
