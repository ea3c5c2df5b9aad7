import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { storedModelKey } from '../../../src/replica/store/manifest/stored-models.ts';
import { encodeFacts } from '../../../src/replica/store/segments/facts-format.ts';
import { encode, hashOf } from '../../../src/replica/store/segments/segments.ts';
import { mapFingerprint, openFacts } from '../../../src/replica/store/segments/stored-facts.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { factsOf } from '../item-facts.ts';
import { content } from '../wire-items.ts';

const models: ModelMap = { author: { name: field.text() }, article: { title: field.text() } };
const MORE: ModelMap = { ...models, article: { title: field.text(), cover: field.media() } };

/** The facts of a segment of these items, which refer to nothing. */
function part(...ids: number[]) {
  const items = ids.map((id) => content(id));
  const { segment } = encode(items);
  return { segment, facts: factsOf(items) };
}
const [author, article, another] = [part(1), part(2, 3), part(4)];
const body = encodeFacts([author.facts, article.facts, another.facts]);
const stored = { hash: hashOf(body), models: mapFingerprint(models) };

/** The models in another order than the map declares them in. */
const manifest: Manifest = {
  ...emptyManifest(),
  models: {
    [storedModelKey(models, 'article')]: {
      segments: [article.segment, another.segment],
      readAt: 0,
    },
    [storedModelKey(models, 'author')]: { segments: [author.segment], readAt: 0 },
  },
  facts: stored,
};

function open(of: Manifest, text: string | undefined = body, map = models) {
  const reads: string[] = [];
  const facts = openFacts(map, of, async (hash) => {
    reads.push(hash);
    return text;
  });
  return { facts, reads };
}

describe('stored facts', () => {
  test('are found by the hash of their segment, in the order of the model map', async () => {
    const { facts, reads } = open(manifest);
    expect(await facts()).toEqual(
      new Map([author, article, another].map(({ segment, facts: one }) => [segment.hash, one])),
    );
    expect(reads).toEqual([stored.hash]);
  });

  test('are of the models that are stored: others may be new in the map', async () => {
    const key = storedModelKey(models, 'author');
    const known = manifest.models[key] as Manifest['models'][string];
    const text = encodeFacts([author.facts]);
    const facts = { hash: hashOf(text), models: stored.models };
    const { facts: read } = open({ ...manifest, models: { [key]: known }, facts }, text);
    expect(await read()).toEqual(new Map([[author.segment.hash, author.facts]]));
  });

  test('are read only when they are needed, and only once', async () => {
    const { facts, reads } = open(manifest);
    expect(reads).toEqual([]);
    const [one, other] = await Promise.all([facts(), facts()]);
    expect(other).toBe(one);
    expect(await facts()).toBe(one);
    expect(reads).toHaveLength(1);
  });
});

describe('there are no facts', () => {
  test('if none were stored', async () => {
    const { facts, reads } = open({ ...manifest, facts: null });
    expect(await facts()).toEqual(new Map());
    expect(reads).toEqual([]);
  });

  test('if they are of another model map, even if its segments are the same', async () => {
    expect(storedModelKey(MORE, 'article')).toBe(storedModelKey(models, 'article'));
    const { facts, reads } = open(manifest, body, MORE);
    expect(await facts()).toEqual(new Map());
    expect(reads).toEqual([]);
  });

  test('if they are missing', async () => {
    const facts = openFacts(models, manifest, async () => undefined);
    expect(await facts()).toEqual(new Map());
  });

  test('if they cannot be read', async () => {
    expect(await open(manifest, body.slice(0, -4)).facts()).toEqual(new Map());
  });

  test('if they are of other segments', async () => {
    const fewer = encodeFacts([author.facts, article.facts]);
    const facts = { hash: hashOf(fewer), models: stored.models };
    expect(await open({ ...manifest, facts }, fewer).facts()).toEqual(new Map());
  });
});

test('the fingerprint of a model map is equal for equal maps only', () => {
  expect(mapFingerprint({ ...models })).toBe(stored.models);
  expect(stored.models).toMatch(/^[0-9a-z]{16}$/);
  expect(mapFingerprint(MORE)).not.toBe(stored.models);
});
