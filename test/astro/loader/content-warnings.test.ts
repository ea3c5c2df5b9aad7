import { describe, expect, test } from 'vitest';
import { contentWarnings, mayChangeWarnings } from '../../../src/astro/loader/content-warnings.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import type { ContentWarning } from '../../../src/entries/problems/content-warning.ts';
import { defineSpace, field } from '../../../src/index.ts';
import type { Manifest } from '../../../src/replica/store/manifest.ts';
import { SpaceRuntime } from '../../../src/space/runtime.ts';
import type { RunningSpace } from '../../../src/space/space.ts';
import { replicaOf } from '../../replica/replica-of.ts';
import { content, draft } from '../../replica/wire-items.ts';

const models = {
  author: { name: field.text() },
  article: { title: field.text(), author: field.reference('author'), subject: field.reference() },
};
const space = { ...defineSpace({ models }), runtime: new SpaceRuntime() } as unknown as RunningSpace;
const author = content(1, { _model: 'author', name: 'Mori' });
const article = (fields: object = {}) =>
  content(2, { title: 'a', author: null, subject: null, ...(fields as Partial<WireContent>) });

interface Options {
  readonly known?: readonly ContentWarning[];
  readonly drafts?: boolean;
  /** Content IDs; by default that of the item. */
  readonly affected?: readonly number[];
  readonly manifest?: Partial<Manifest>;
}

/** Whether an item that was made again may change the warnings of its collection. */
async function mayChange(
  item: WireContent,
  { known = [], drafts = false, affected = [item._id], manifest }: Options = {},
) {
  const replica = await replicaOf(models, [author, item], manifest);
  const index = await replica.index();
  return mayChangeWarnings({
    space,
    collection: 'articles',
    drafts,
    replica,
    shown: new Set([item]),
    known,
    affected: new Set(affected),
    exists: (id) => index.get(id) !== undefined,
  });
}

describe('the warnings of a collection do not change', () => {
  test('by an item without a problem', async () => {
    expect(await mayChange(article())).toBe(false);
    expect(await mayChange(article({ author: 1, subject: 1 }))).toBe(false);
  });

  test('by a fact about its model that is already one of them', async () => {
    const replica = await replicaOf(models, [article({ more: 1 })]);
    const shown = new Set([article({ more: 1 })]);
    const known = await contentWarnings({ space, collection: 'articles', drafts: true, replica, shown });
    expect(known).toHaveLength(1);
    expect(await mayChange(article({ more: 2 }), { known })).toBe(false);
    expect(await mayChange(article(), { known })).toBe(false);
  });

  test('by the problems of an item that is shown but not affected: they are among them', async () => {
    const affected = [1];
    expect(await mayChange(article({ author: 9 }), { affected })).toBe(false);
    expect(await mayChange(article({ _status: 'draft' }), { affected })).toBe(false);
  });
});

describe('the warnings of a collection may change', () => {
  test('if one of them is about an affected item, even if that is not shown any more', async () => {
    const known = [
      { key: 'a', line: 'a' },
      { key: 'b', line: 'b', items: [7, 8] },
    ];
    expect(await mayChange(article(), { known, affected: [2, 8] })).toBe(true);
    expect(await mayChange(article(), { known, affected: [2, 9] })).toBe(false);
  });

  test('by an undeclared field that none of them is about', async () => {
    expect(await mayChange(article({ more: 1 }))).toBe(true);
    const known = [{ key: 'undeclared fields article other', line: '' }];
    expect(await mayChange(article({ more: 1 }), { known })).toBe(true);
  });

  test('by a draft, unless the loader reads drafts', async () => {
    const item = draft(2, { title: 'a', author: null, subject: null });
    expect(await mayChange(item)).toBe(true);
    expect(await mayChange(item, { drafts: true })).toBe(false);
    expect(await mayChange(article({ _status: 'draft' }))).toBe(true);
    expect(await mayChange(article({ _status: 'published_draft' }))).toBe(false);
  });

  test('by a reference with a model that leads to nothing', async () => {
    expect(await mayChange(article({ author: 9 }))).toBe(true);
  });

  test('not by a reference to what was removed: it is empty', async () => {
    expect(await mayChange(article({ author: 9 }), { manifest: { gone: [9] } })).toBe(false);
    expect(await mayChange(article({ subject: 9 }), { manifest: { gone: [9] } })).toBe(false);
  });

  test('by a reference to any model that leads to content of an undeclared one', async () => {
    expect(await mayChange(article({ subject: 9 }), { manifest: { undeclared: [9] } })).toBe(true);
    expect(await mayChange(article({ subject: 9 }))).toBe(false);
  });
});
