import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  isHash,
  type JournalEntry,
  type Manifest,
  type Target,
} from '../../../src/replica/store/manifest.ts';
import { manifestCodec } from '../../../src/replica/store/manifest-codec.ts';

const HASH = 'a1'.repeat(32);
const cursor = { updated: 5, published: 6.5 };
const segment = { hash: HASH, count: 1, first: { time: 1.5, id: 1 }, last: { time: 2, id: -2 } };
const manifest: Manifest = {
  generation: 0,
  models: { article: { segments: [segment], cursor, readAt: 7 } },
  heads: 'x',
  neverPublished: 0,
  gone: [1, 2],
  undeclared: [3],
  undeclaredInMain: [4],
  undeclaredMissing: [10],
  undeclaredTotal: 5,
  alts: { 'https://a.example/b.jpg': '漢字' },
  settled: true,
  unconfirmed: { items: [[6, 'article', 1]], models: ['article'] },
  journal: {
    start: 'a',
    entries: [
      {
        state: 'b',
        appeared: [[7, 'article', 1.5]],
        changed: [],
        undeclared: false,
        undeclaredAppeared: false,
      },
    ],
  },
  follows: 'a',
  history: { start: 'c', steps: [{ to: 'd', ids: [8, -9] }] },
  facts: { hash: HASH, models: 'e' },
  leaving: [HASH],
};
const codec = manifestCodec('key', 'identity');

/** Signs any body, as only who has the key can. */
function signed(body: string): string {
  const key = createHmac('sha256', 'key').update('astro-luid cache manifest').digest();
  return `${createHmac('sha256', key).update(`identity\n${body}`).digest('hex')}\n${body}`;
}

/** The journal as it is stored. */
function stored(...more: Target[]) {
  const appeared = [[7, 'article', 1.5], ...more];
  return { start: 'a', entries: [{ state: 'b', appeared, changed: [], undeclared: false }] };
}

describe('a manifest', () => {
  test('is read as it was written', () => {
    expect(codec.decode(codec.encode(manifest))).toEqual(manifest);
    expect(codec.encode(manifest)).toBe(signed(JSON.stringify({ ...manifest, journal: stored() })));
  });

  test('stores unknown undeclared content as a target with an impossible id', () => {
    const [entry] = manifest.journal.entries as [JournalEntry];
    const journal = { start: 'a', entries: [{ ...entry, undeclaredAppeared: true }] };
    const text = codec.encode({ ...manifest, journal });
    expect(codec.decode(text)?.journal).toEqual(journal);
    expect(text).toBe(signed(JSON.stringify({ ...manifest, journal: stored([-1, '', 0]) })));
  });

  test('of an earlier version is read without what that did not store', () => {
    const { history, facts, undeclaredMissing, ...earlier } = manifest;
    expect([history, facts, undeclaredMissing].every(Boolean)).toBe(true);
    expect(codec.decode(signed(JSON.stringify({ ...earlier, journal: stored() })))).toEqual({
      ...manifest,
      history: { start: null, steps: [] },
      facts: null,
      undeclaredMissing: [],
    });
  });

  test('of another key or another snapshot is rejected', () => {
    const text = codec.encode(manifest);
    expect(manifestCodec('other', 'identity').decode(text)).toBeUndefined();
    expect(manifestCodec('key', 'other').decode(text)).toBeUndefined();
  });

  test('that is truncated, changed or empty is rejected', () => {
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
      text.replace('"settled":true', '"settled":false'),
    ]) {
      expect(codec.decode(damaged)).toBeUndefined();
    }
  });

  test('that is signed but not JSON is rejected', () => {
    expect(codec.decode(signed('{'))).toBeUndefined();
    expect(codec.decode(signed('null'))).toBeUndefined();
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
    ['cursor', { models: { article: { ...state, cursor: { updated: 1 } } } }],
    ['cursor', { models: { article: { ...state, cursor: { published: 1 } } } }],
    ['readAt', { models: { article: { ...state, readAt: 'x' } } }],
    ['heads', { heads: 5 }],
    ['heads', { heads: undefined }],
    ['gone', { gone: [1.5] }],
    ['gone', { gone: {} }],
    ['neverPublished', { neverPublished: 1.5 }],
    ['undeclared', { undeclared: ['3'] }],
    ['undeclaredInMain', { undeclaredInMain: null }],
    ['undeclaredMissing', { undeclaredMissing: null }],
    ['undeclaredTotal', { undeclaredTotal: 0.5 }],
    ['alts', { alts: { x: 1 } }],
    ['settled', { settled: 1 }],
    ['unconfirmed', { unconfirmed: { items: [6], models: [] } }],
    ['unconfirmed', { unconfirmed: { items: [], models: [1] } }],
    ['journal', { journal: { start: 1, entries: [] } }],
    ['journal', { journal: { start: 'a', entries: [{ state: 'b' }] } }],
    ['follows', { follows: undefined }],
    ['leaving', { leaving: ['x'] }],
    ['leaving', { leaving: undefined }],
  ])('that is signed but malformed is rejected: %s', (_, change) => {
    expect(codec.decode(signed(JSON.stringify({ ...manifest, ...change })))).toBeUndefined();
  });
});

test('a segment must be named by a hash', () => {
  expect(isHash(HASH)).toBe(true);
  for (const name of ['', HASH.slice(1), `${HASH}a`, `${HASH}\n`, 'g'.repeat(64), HASH.toUpperCase()])
    expect(isHash(name)).toBe(false);
});
