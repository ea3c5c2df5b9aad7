import type { LoaderContext } from 'astro/loaders';
import { expect, test } from 'vitest';
import { commitEntries } from '../../../src/astro/loader/commit-entries.ts';

const entry = (id: string) => ({ id, data: {} });
function contextWith(...ids: string[]) {
  const entries = new Map(ids.map((id) => [id, entry(id)]));
  const store = {
    keys: () => [...entries.keys()],
    set: (one: ReturnType<typeof entry>) => entries.set(one.id, one),
    delete: (id: string) => entries.delete(id),
  };
  return { entries, context: { store } as unknown as Pick<LoaderContext, 'store'> };
}

test('adds and changes staged entries, removes those that are gone, keeps the rest', () => {
  const { entries, context } = contextWith('kept', 'changed', 'gone');
  const staged = [entry('changed'), entry('new')];
  const changes = commitEntries(context, ['kept', 'changed', 'new'], { staged, skipped: new Set() });
  expect(changes).toEqual({ entries: 3, added: 1, changed: 1, removed: 1 });
  expect([...entries.keys()]).toEqual(['kept', 'changed', 'new']);
});

test('removes an entry that is skipped because it is invalid now', () => {
  const { entries, context } = contextWith('valid', 'invalid');
  const changes = commitEntries(context, ['valid', 'invalid'], { staged: [], skipped: new Set(['invalid']) });
  expect(changes).toEqual({ entries: 1, added: 0, changed: 0, removed: 1 });
  expect([...entries.keys()]).toEqual(['valid']);
});
