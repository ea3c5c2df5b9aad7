import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { readHeads } from '../../../src/replica/read/heads.ts';
import { type ReconcileResult, reconcile } from '../../../src/replica/sync/reconcile.ts';
import { itemsOf, nameOf, openSpace, published, type Space } from '../session-space.ts';

const title = field.text({ title: true });
const note = { title };
const page = { title, to: field.reference() };
/** Only `page` refers to content of models that are not declared. */
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
async function reconcileNow(
  space: Space,
  {
    prepare,
    isLastCount = false,
  }: { prepare?: (session: ReturnType<Space['open']>) => void; isLastCount?: boolean } = {},
) {
  const session = space.open();
  const heads = await readHeads(session.headsSource, { bypassCdn: false });
  prepare?.(session);
  let result: ReconcileResult = { unclear: [] };
  const requests = await space.requests(async () => {
    result = await reconcile(session, heads, isLastCount);
  });
  return { ...result, session, requests };
}

/** Acts before each request, by its name. */
function onRequest({ service }: Space, act: (name: string) => void | Promise<void>): void {
  service.beforeRequest = ({ url }) => act(nameOf(new URL(url).searchParams));
}

const idle = () => new Promise((resolve) => setImmediate(resolve));

describe.each(['note', 'page'] as const)('the total of a model (%s)', (model) => {
  test('is counted again while few differences are looked for', async () => {
    const space = await openSynced(model);
    space.service.contents.archive(1300);
    let isCounting = false;
    const during: boolean[] = [];
    onRequest(space, async (name) => {
      if (name === `count ${model}`) {
        isCounting = true;
        for (let turn = 0; turn < 20; turn++) await idle();
        isCounting = false;
      } else if (name === `count ${model} in a range`) during.push(isCounting);
    });
    const { session, unclear } = await reconcileNow(space);
    expect([session.count, unclear]).toEqual([599, []]);
    expect(during[0]).toBe(true);
  });

  test('is counted first if the heads count many more or less', async () => {
    const space = await openSynced(model);
    for (let id = 1300; id < 1310; id++) space.service.contents.archive(id);
    const { requests, unclear } = await reconcileNow(space);
    expect(unclear).toEqual([model]);
    expect(requests).toEqual([`count ${model}`]);
  });
});

describe.each(['note', 'page'] as const)('a count that another item made equal (%s)', (model) => {
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
    const { unclear, newer, session } = await reconcileNow(await openBalanced());
    expect(unclear).toEqual([]);
    expect(newer?.updated.data[0]?._id).toBe(9000);
    expect(session.undeclared.hasMoved).toBe(false);
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
    const { unclear, newer } = await reconcile(session, { ...heads, total: heads.total - 1 }, false);
    expect([unclear, newer?.total]).toEqual([[], 600]);
    expect(session.countDiffered).toBe(false);
  });
});

describe('an item that is missing', () => {
  test('is not removed if it was only hidden when its page was read', async () => {
    const space = await openSynced('note');
    space.service.contents.archive(1300);
    onRequest(space, (name) => {
      if (name === 'models of 1300') space.service.contents.restore(1300);
    });
    const { session } = await reconcileNow(space);
    expect((await itemsOf(session)).has(1300)).toBe(true);
    expect(session.countDiffered).toBe(true);
  });
});

describe('the total of undeclared content', () => {
  test('needs no heads if it is the same as before', async () => {
    const space = await openSynced('page');
    space.service.contents.archive(1300);
    const { requests, session } = await reconcileNow(space);
    expect(requests.filter((name) => name.startsWith('newest'))).toEqual([]);
    expect(session.undeclared).toMatchObject({ total: 2, hasMoved: false });
  });

  test('that remains unknown counts as moved', async () => {
    const space = await openSynced('page');
    let tags = 100;
    onRequest(space, (name) => {
      if (name === 'count page')
        space.service.contents.create({ id: tags++, model: 'tag', published: { ja: { title: 'new' } } });
    });
    const { session } = await reconcileNow(space, {
      isLastCount: true,
      prepare: ({ undeclared }) => {
        undeclared.total = null;
      },
    });
    expect(session.undeclared).toMatchObject({ total: null, hasMoved: true });
    expect(session.visibility.undeclaredAppeared).toBe(true);
  });

  test('that was unknown does not show what appeared', async () => {
    const space = await openSynced('page');
    const { session } = await reconcileNow(space, {
      prepare: ({ undeclared }) => {
        undeclared.total = null;
        undeclared.newIds.add(1).add(2);
      },
    });
    expect(session.undeclared.total).toBe(2);
    expect(session.visibility.undeclaredAppeared).toBe(true);
  });
});
