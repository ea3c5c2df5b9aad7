import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Manifest, StoredModel } from '../../../src/replica/store/manifest/manifest.ts';
import { replicaFingerprint, storedModelKey } from '../../../src/replica/store/manifest/stored-models.ts';
import { encode } from '../../../src/replica/store/segments/segments.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { content } from '../wire-items.ts';

const models: ModelMap = { author: { name: field.text() }, article: { to: field.reference() } };
const [AUTHOR, ARTICLE] = ['author', 'article'].map((model) => storedModelKey(models, model)) as [
  string,
  string,
];

const modelOf = (...segments: number[][]): StoredModel => ({
  segments: segments.map((ids) => encode(ids.map((id) => content(id))).segment),
  readAt: 0,
});

const manifest: Manifest = {
  ...emptyManifest(),
  models: { [AUTHOR]: modelOf([1]), [ARTICLE]: modelOf([2], [3]) },
};
const fingerprintOf = (change: Partial<Manifest> = {}) =>
  replicaFingerprint(models, { ...manifest, ...change });

describe('the fingerprint of a replica', () => {
  test('is equal for equal content, whenever and however it was read', () => {
    const later = { ...modelOf([1]), readAt: 9 };
    const change: Partial<Manifest> = {
      generation: 9,
      models: { ...manifest.models, [AUTHOR]: later },
      cursor: { updated: 1, published: 1 },
      heads: 'heads',
      readAgain: [1],
      main: 'main',
      history: { start: 'a', steps: [] },
      facts: { hash: 'a', models: 'b' },
    };
    expect(fingerprintOf(change)).toBe(fingerprintOf());
  });

  test('does not depend on models that are stored but not declared, nor on their order in the manifest', () => {
    const { [AUTHOR]: author, [ARTICLE]: article } = manifest.models as Record<string, StoredModel>;
    const stored = { note: modelOf([9]), [ARTICLE]: article, [AUTHOR]: author } as Manifest['models'];
    expect(fingerprintOf({ models: stored })).toBe(fingerprintOf());
  });

  test('depends on everything that entries may show', () => {
    const all = [
      fingerprintOf(),
      fingerprintOf({ models: { ...manifest.models, [AUTHOR]: modelOf([4]) } }),
      fingerprintOf({ models: { ...manifest.models, [ARTICLE]: modelOf([3], [2]) } }),
      fingerprintOf({ models: { [AUTHOR]: modelOf([2], [3]), [ARTICLE]: modelOf([1]) } }),
      fingerprintOf({ models: {} }),
      fingerprintOf({ removed: [9] }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
