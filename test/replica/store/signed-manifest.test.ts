import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { VERSION } from '../../../src/replica/store/snapshot-names.ts';
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
  test('has what its format has: with another format comes another version', () => {
    const properties = Object.keys(manifest).sort().join(' ');
    expect([VERSION, properties, Object.keys(emptyManifest()).sort().join(' ')]).toEqual([
      10,
      'cursor facts generation heads history isEncrypted main models pageSizes pages readAgain removed unused',
      properties,
    ]);
  });

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
});
