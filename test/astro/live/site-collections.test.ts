import { expect, test } from 'vitest';
import { createNaming, onNamed } from '../../../src/astro/live/collection-names.ts';

function namedLoader() {
  const loader = { names: [] as string[] };
  onNamed(loader, (name) => loader.names.push(name));
  return loader;
}

test('live loaders know the names of their collections, also after live.config has changed', async () => {
  const [first, second, third] = [namedLoader(), namedLoader(), namedLoader()];
  let collections: object = { authors: { loader: first }, people: { loader: second }, other: { loader: {} } };
  const name = createNaming(async () => ({ collections }));
  await name();
  await name();
  collections = { writers: { loader: third } };
  await name();
  expect([first, second, third].map(({ names }) => names)).toEqual([['authors'], ['people'], ['writers']]);
});

test.each([
  ['without a live.config', undefined],
  ['with one that fails, which pages report', () => Promise.reject(new Error('syntax'))],
  ['with one that exports nothing', async () => ({})],
  ['with other collections', async () => ({ collections: { a: null, b: {}, c: { loader: () => {} } } })],
])('pages are rendered %s', async (_, load) => {
  await expect(createNaming(load)()).resolves.toBeUndefined();
});
