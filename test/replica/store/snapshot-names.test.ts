import { describe, expect, test } from 'vitest';
import {
  generationOf,
  manifestName,
  mapOf,
  snapshotNames,
  textOf,
  VERSION,
} from '../../../src/replica/store/snapshot-names.ts';

const OF = { baseUrl: 'http://a.test/v1', apiKey: 'secret', space: 'blog', lang: 'en', modelKeys: ['a@1'] };

/** A hash that shows what was hashed. */
const sha256 = (text: string) => `${text}`.padEnd(40, '.');

test('a snapshot is identified by all that can change a response, but not by the key itself', async () => {
  const key = (text: string) => (text === OF.apiKey ? 'hash' : sha256(text));
  const { identity } = await snapshotNames(OF, key);
  expect(identity).toBe(`[${VERSION},"http://a.test/v1","hash","blog","en"]`);
  const plain = await snapshotNames({ ...OF, space: undefined, lang: undefined }, key);
  expect(plain.identity).toBe(`[${VERSION},"http://a.test/v1","hash",null,null]`);
});

test('a snapshot is stored by the version of the format and a part of its hash', async () => {
  const names = await snapshotNames(OF, () => '0123456789'.repeat(6));
  const base = `v${VERSION}:${'0123456789'.repeat(4)}`;
  expect(names).toMatchObject({ manifests: `${base}:manifest`, segments: `${base}:segment` });
});

test('a model map is named by its keys in any order', async () => {
  const modelKeys = ['b@2', 'a@1'];
  expect((await snapshotNames({ ...OF, modelKeys }, sha256)).map).toBe('["a@1","b@2"]...');
  expect(modelKeys).toEqual(['b@2', 'a@1']);
});

describe('the name of a manifest', () => {
  test('sorts by generation, then by time', () => {
    const names = [
      [9, 1_700_000_000_000],
      [9, 1_800_000_000_000],
      [10, 5],
    ].map(([generation = 0, time = 0]) => manifestName({ generation, map: 'map', time }, 'x'));
    expect(names).toEqual([...names].sort());
    expect(names[0]).toBe('000000000009-map-1700000000000-x');
  });

  test('begins with its generation and its model map', () => {
    expect([generationOf('000000000012-map-5-x'), mapOf('000000000012-map-5-x')]).toEqual([12, 'map']);
  });

  test('may be anything: others can write to the storage', () => {
    expect([generationOf('x'), mapOf('x')]).toEqual([0, '']);
  });
});

test('a body is text, whether it is stored as a string or as bytes', () => {
  expect([textOf('text'), textOf(''), textOf(new TextEncoder().encode('夕'))]).toEqual(['text', '', '夕']);
  expect([textOf(null), textOf(undefined)]).toEqual([undefined, undefined]);
});
