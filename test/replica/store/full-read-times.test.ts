import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { ageOf, ageOfStored, storedModelKey } from '../../../src/replica/store/manifest/stored-models.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';

const models = { author: { name: field.text() }, article: { title: field.text() } };
const NOW = 100;

/** A manifest of models that were read in full at these times. */
function readAt(times: { readonly [model in keyof typeof models]?: number }) {
  const states = Object.entries(times).map(([model, time]) => [
    storedModelKey(models, model),
    { segments: [], readAt: time },
  ]);
  return { ...emptyManifest(), models: Object.fromEntries(states) };
}

describe('the age of a replica', () => {
  test('is that of the model whose full read is the longest ago', () => {
    const manifest = readAt({ author: 90, article: 30 });
    expect(ageOf(models, manifest, NOW)).toBe(70);
    expect(ageOfStored(models, manifest, NOW)).toBe(70);
  });

  test('is unknown if a model is not stored, but not that of the others', () => {
    const manifest = readAt({ article: 30 });
    expect(ageOf(models, manifest, NOW)).toBeUndefined();
    expect(ageOfStored(models, manifest, NOW)).toBe(70);
  });

  test('is unknown if nothing is stored', () => {
    expect(ageOf(models, emptyManifest(), NOW)).toBeUndefined();
    expect(ageOfStored(models, emptyManifest(), NOW)).toBeUndefined();
  });

  test('does not depend on models that the map does not contain', () => {
    const manifest = readAt({ author: 90, article: 30 });
    expect(ageOf({ author: models.author }, manifest, NOW)).toBe(10);
    expect(ageOfStored({ author: models.author }, manifest, NOW)).toBe(10);
  });
});
