import type { LoaderContext } from 'astro/loaders';
import { expect, test } from 'vitest';
import { commitEntries } from '../../../src/astro/loader/commit-entries.ts';

const entry = (id: string) => ({ id, data: {} });
function storeWith(...ids: string[]) {
  const entries = new Map(ids.map((id) => [id, entry(id)]));
  const store = {
    keys: () => [...entries.keys()],
    get: (id: string) => entries.get(id),
    set: (one: ReturnType<typeof entry>) => entries.set(one.id, one),
    delete: (id: string) => entries.delete(id),
  };
  return { entries, store: store as unknown as LoaderContext['store'] };
}

test('adds and changes staged entries, removes those that are gone, keeps the rest', () => {
  const { entries, store } = storeWith('kept', 'changed', 'gone');
  const staged = [entry('changed'), entry('new')];
  const changes = commitEntries(store, ['gone'], { staged, skipped: new Set() });
  expect(changes).toEqual({ entries: 3, added: 1, changed: 1, removed: 1 });
  expect([...entries.keys()]).toEqual(['kept', 'changed', 'new']);
});

test('removes an entry that is skipped because it is invalid now', () => {
  const { entries, store } = storeWith('valid', 'invalid');
  const changes = commitEntries(store, [], { staged: [], skipped: new Set(['invalid']) });
  expect(changes).toEqual({ entries: 1, added: 0, changed: 0, removed: 1 });
  expect([...entries.keys()]).toEqual(['valid']);
});

test('removes some entries, and leaves all others that were not staged', () => {
  const { entries, store } = storeWith('kept', 'changed', 'gone', 'invalid');
  const staged = [entry('changed'), entry('new')];
  const changes = commitEntries(store, ['gone', 'never stored'], { staged, skipped: new Set(['invalid']) });
  expect(changes).toEqual({ entries: 3, added: 1, changed: 1, removed: 2 });
  expect([...entries.keys()]).toEqual(['kept', 'changed', 'new']);
});
