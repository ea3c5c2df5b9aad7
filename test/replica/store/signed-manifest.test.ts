import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isHash, type Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { manifestCodec } from '../../support/manifest-codec.ts';

const HASH = 'a1'.repeat(32);
const cursor = { updated: 5, published: 6.5 };
const segment = { hash: HASH, count: 1, first: { time: 1.5, id: 1 }, last: { time: 2, id: -2 } };
const manifest: Manifest = {
  generation: 0,
  models: { article: { segments: [segment], readAt: 7 } },
  cursor,
  heads: 'x',
  removed: [1, 2],
  readAgain: [6],
  main: '漢字',
  history: { start: 'c', steps: [{ to: 'd', added: [7], changed: [8, -9], removed: [] }] },
  isEncrypted: false,
  pages: { f: [{ hash: HASH, total: 1, ids: [1], ends: [5, 6] }] },
  pageSizes: { article: { size: 50, at: 7 } },
  facts: { hash: HASH, models: 'e' },
  unused: [HASH],
};
const codec = manifestCodec('key', 'identity', 'map');

/** Signs any body, as only who has the key can. */
function signed(body: string): string {
  const key = createHmac('sha256', 'key').update('astro-luid cache manifest').digest();
  return `${createHmac('sha256', key).update(`identity map\n${body}`).digest('hex')}\n${body}`;
}

describe('a manifest', () => {
  test('is read as it was written', async () => {
    expect(await codec.decode(codec.encode(manifest))).toEqual(manifest);
    expect(codec.encode(manifest)).toBe(signed(JSON.stringify(manifest)));
  });

  test('of another key or another snapshot is rejected', async () => {
    const text = codec.encode(manifest);
    expect(await manifestCodec('other', 'identity', 'map').decode(text)).toBeUndefined();
    expect(await manifestCodec('key', 'other', 'map').decode(text)).toBeUndefined();
    expect(await manifestCodec('key', 'identity', 'other').decode(text)).toBeUndefined();
  });

  test('that is truncated, changed or empty is rejected', async () => {
    const text = codec.encode(manifest);
    for (const damaged of [
      '',
      '\n',
      text.slice(0, 64),
      text.slice(0, -1),
      text.slice(1),
      text.slice(65),
      `\n${text.slice(65)}`,
      `${text} `,
      `x${text.slice(1)}`,
      text.replace('"readAgain":[6]', '"readAgain":[7]'),
    ]) {
      expect(await codec.decode(damaged)).toBeUndefined();
    }
  });

  test('that is signed but not JSON is rejected', async () => {
    expect(await codec.decode(signed('{'))).toBeUndefined();
    expect(await codec.decode(signed('null'))).toBeUndefined();
  });

  const state = manifest.models.article as Manifest['models'][string];
  const inSegment = (change: object) => ({
    models: { article: { ...state, segments: [{ ...segment, ...change }] } },
  });
  test.each<[string, object]>([
    ['generation', { generation: -1 }],
    ['generation', { generation: 1.5 }],
    ['models', { models: [] }],
    ['segments', { models: { article: { ...state, segments: 'x' } } }],
    ['hash', inSegment({ hash: 'A1'.repeat(32) })],
    ['hash', inSegment({ hash: `../${HASH}` })],
    ['count', inSegment({ count: 0 })],
    ['count', inSegment({ count: 1.5 })],
    ['first', inSegment({ first: { time: 'x', id: 1 } })],
    ['first', inSegment({ first: { time: 1, id: 1.5 } })],
    ['last', inSegment({ last: undefined })],
    ['last', inSegment({ last: { id: 1 } })],
    ['cursor', { cursor: { updated: 1 } }],
    ['cursor', { cursor: { published: 1 } }],
    ['readAt', { models: { article: { ...state, readAt: 'x' } } }],
    ['heads', { heads: 5 }],
    ['heads', { heads: undefined }],
    ['removed', { removed: [1.5] }],
    ['removed', { removed: {} }],
    ['history', { history: undefined }],
    ['facts', { facts: undefined }],
    ['readAgain', { readAgain: 'some' }],
    ['readAgain', { readAgain: [1.5] }],
    ['main', { main: undefined }],
    ['history', { history: { start: 'c', steps: [{ to: 'd', ids: [8] }] } }],
    ['pageSizes', { pageSizes: undefined }],
    ['pageSizes', { pageSizes: { article: { size: 0, at: 7 } } }],
    ['pageSizes', { pageSizes: { article: { size: 50 } } }],
    ['pages', { pages: undefined }],
    ['pages', { pages: { f: [{ hash: 'x', total: 1, ids: [], ends: [] }] } }],
    ['pages', { pages: { f: [{ hash: HASH, total: -1, ids: [], ends: [] }] } }],
    ['pages', { pages: { f: [{ hash: HASH, total: 1, ids: ['1'], ends: [] }] } }],
    ['pages', { pages: { f: [{ hash: HASH, total: 1, ids: [] }] } }],
    ['unused', { unused: ['x'] }],
    ['unused', { unused: undefined }],
  ])('that is signed but malformed is rejected: %s', async (_, change) => {
    expect(await codec.decode(signed(JSON.stringify({ ...manifest, ...change })))).toBeUndefined();
  });
});

test('a segment must be named by a hash', () => {
  expect(isHash(HASH)).toBe(true);
  for (const name of ['', HASH.slice(1), `${HASH}a`, `${HASH}\n`, 'g'.repeat(64), HASH.toUpperCase()])
    expect(isHash(name)).toBe(false);
});
