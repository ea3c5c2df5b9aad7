import { describe, expect, test } from 'vitest';
import {
  generationOf,
  identityOf,
  mapName,
  mapOf,
  modelKeysText,
  signerOf,
  storageKeys,
  textOf,
  VERSION,
} from '../../../src/replica/store/snapshot-names.ts';

const OF = { baseUrl: 'http://a.test/v1', apiKey: 'secret', space: 'blog', lang: 'en', modelKeys: ['a@1'] };

test('a snapshot is identified by all that can change a response, but not by the key itself', () => {
  expect(identityOf(OF, 'hash')).toBe(`[${VERSION},"http://a.test/v1","hash","blog","en"]`);
  expect(identityOf({ ...OF, space: undefined, lang: undefined }, 'hash')).toBe(
    `[${VERSION},"http://a.test/v1","hash",null,null]`,
  );
});

test('a snapshot is stored by the version of the format and a part of its hash', () => {
  const hash = '0123456789'.repeat(6);
  const base = `v${VERSION}:${'0123456789'.repeat(4)}`;
  expect(storageKeys(hash)).toEqual({ manifests: `${base}:manifest`, segments: `${base}:segment` });
});

test('a model map is named by its keys in any order', () => {
  const keys = ['b@2', 'a@1'];
  expect(modelKeysText(keys)).toBe('["a@1","b@2"]');
  expect(keys).toEqual(['b@2', 'a@1']);
  expect(mapName('0123456789'.repeat(6))).toBe('0123456789012345');
});

test('a manifest is signed for its snapshot and its model map', () => {
  expect(signerOf('identity', 'map')).toBe('identity map');
});

describe('the name of a manifest', () => {
  test('begins with its generation and its model map', () => {
    expect([generationOf('000000000012-map-5-x'), mapOf('000000000012-map-5-x')]).toEqual([12, 'map']);
  });

  test('may be anything: others can write to the storage', () => {
    expect([generationOf('x'), mapOf('x')]).toEqual([0, '']);
  });
});

test.each<[unknown, string | undefined]>([
  [null, undefined],
  [undefined, undefined],
  ['text', 'text'],
  ['', ''],
  [new TextEncoder().encode('夕'), '夕'],
  [{ a: 1 }, '{"a":1}'],
  [[1], '[1]'],
  [5, '5'],
  [false, 'false'],
])('what a driver returns is text again: %j', (raw, text) => {
  expect(textOf(raw)).toBe(text);
});
