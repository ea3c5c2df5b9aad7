import { describe, expect, test } from 'vitest';
import { field } from '../../../../src/index.ts';
import type { ModelMap } from '../../../../src/models/types.ts';
import { readHeads } from '../../../../src/replica/read/heads.ts';
import { type ReconcileResult, reconcile } from '../../../../src/replica/sync/reconcile/reconcile.ts';
import { itemsOf, nameOf, openSpace, published, type Space } from '../../session-space.ts';

const title = field.text({ title: true });
const note = { title };
const page = { title, to: field.reference() };
const SERVICE: ModelMap = { note, page, tag: { title } };

const itemsIn = (model: string, count: number, from: number) =>
  Array.from({ length: count }, (_, n) => published(model, from + n, { title: `${n}` }));

/** 600 items of a model and two of an undeclared one, synced a minute ago. */
async function openSynced(model: 'note' | 'page'): Promise<Space> {
  const contents = [...itemsIn(model, 600, 1001), ...itemsIn('tag', 2, 1)];
  const space = openSpace({ [model]: SERVICE[model] as object } as ModelMap, contents, {
    serviceModels: SERVICE,
  });
  await space.sync();
  space.service.clock.advance(60_000);
  return space;
}

/** Reconciles with the heads that the CDN has now. */
async function reconcileNow(space: Space) {
  const session = space.open();
  const heads = await readHeads(session.headsSource, { bypassCdn: false });
  let result: ReconcileResult = { unclear: [], isSettled: false };
  const requests = await space.requests(async () => {
    result = await reconcile(session, heads);
  });
  return { ...result, session, requests };
}

/** Acts before each request, by its name. */
function onRequest({ service }: Space, act: (name: string) => void | Promise<void>): void {
  service.beforeRequest = ({ url }) => act(nameOf(new URL(url).searchParams));
}

describe.each(['note', 'page'] as const)('the total of a model (%s)', (model) => {
  test('is counted again before differences are looked for', async () => {
    const space = await openSynced(model);
    space.service.contents.archive(1300);
    const { session, requests, ...result } = await reconcileNow(space);
    expect(requests[0]).toBe(`count ${model}`);
    expect([session.count, result]).toEqual([599, { unclear: [], isSettled: true }]);
  });

  /** One item disappeared before the heads; another one appears before the declared content is counted. */
  async function openBalanced(): Promise<Space> {
    const space = await openSynced(model);
    space.service.contents.archive(1300);
    let hasAppeared = false;
    onRequest(space, (name) => {
      if (hasAppeared || name !== `count ${model}`) return;
      hasAppeared = true;
      space.service.contents.create({ id: 9000, model, published: { ja: { title: 'new' } } });
    });
    return space;
  }

  test('proves nothing: later heads are to be compared', async () => {
    const { unclear, isSettled } = await reconcileNow(await openBalanced());
    expect([unclear, isSettled]).toEqual([[], false]);
  });

  test('does not keep an item that disappeared', async () => {
    const space = await openBalanced();
    const session = await space.sync();
    const items = await itemsOf(session);
    expect([items.has(1300), items.has(9000), items.size]).toEqual([false, true, 600]);
  });
});

describe('a total from a stale copy of the CDN', () => {
  test('is not a difference', async () => {
    const space = await openSynced('note');
    const session = space.open();
    const heads = await readHeads(session.headsSource, { bypassCdn: false });
    const result = await reconcile(session, { ...heads, total: heads.total - 1 });
    expect(result).toEqual({ unclear: [], isSettled: false });
    expect(session.count).toBe(600);
  });
});

describe('an item that is missing', () => {
  test('is not removed if it was only hidden when its page was read', async () => {
    const space = await openSynced('note');
    space.service.contents.archive(1300);
    onRequest(space, (name) => {
      if (name === 'models of 1300') space.service.contents.restore(1300);
    });
    const { session, isSettled } = await reconcileNow(space);
    expect((await itemsOf(session)).has(1300)).toBe(true);
    expect(isSettled).toBe(false);
  });
});
