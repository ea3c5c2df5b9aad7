import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import type { Heads } from '../../../src/replica/read/heads.ts';
import type { Models, NewestBy, PageQuery, Source } from '../../../src/replica/read/source.ts';
import { catchUp } from '../../../src/replica/sync/catch-up.ts';
import { at, changedAt, draft, second } from '../wire-items.ts';

/** The service with these items, and what was requested of it. */
function serve(items: readonly WireContent[]) {
  const pages: PageQuery[] = [];
  const byId: number[][] = [];
  const source = {
    models: ['article'],
    async page(query: PageQuery) {
      pages.push(query);
      const { by, filters = {}, offset, limit } = query;
      const matching = items
        .filter((item) => passes(item, filters))
        .sort((a, b) => String(a[by]).localeCompare(String(b[by])));
      return { total: matching.length, offset, limit, data: matching.slice(offset, offset + limit) };
    },
    async byId(ids: readonly number[]) {
      byId.push([...ids]);
      return items.filter(({ _id }) => ids.includes(_id));
    },
  } as Partial<Source> as Source;
  return { source, pages, byId };
}

function passes(item: WireContent, filters: PageQuery['filters'] = {}): boolean {
  return Object.entries(filters).every(([name, bound]) => {
    const [property, operator] = name.replace(']', '').split('[') as [NewestBy, string];
    const time = item[property];
    if (time === null) return false;
    return operator === 'gte' ? time >= String(bound) : time < String(bound);
  });
}

/** The heads of these items, with room for so many. */
function headsOf(items: readonly WireContent[], room = 100): Heads {
  const newest = (by: NewestBy) => {
    const dated = items.filter((item) => item[by] !== null);
    const data = dated.toSorted((a, b) => String(b[by]).localeCompare(String(a[by]))).slice(0, room);
    return { total: dated.length, offset: 0, limit: room, data };
  };
  const [updated, published] = [newest('_updated_at'), newest('_last_published_at')];
  return { updated, published, total: updated.total, bypassedCdn: true, ahead: second(1e6) };
}

const since = (updated: number, published = updated) => ({
  updated: second(updated),
  published: second(published),
});
const idsOf = (changes: readonly WireContent[]) => changes.map(({ _id }) => _id).sort((a, b) => a - b);
const MODELS: Models = ['article'];

/** Ten items that changed at the second of their id. */
const TEN = Array.from({ length: 10 }, (_, n) => changedAt(n + 1, n + 1));

describe('the changed items', () => {
  test('are those of the heads, if nothing is known', async () => {
    const { source, pages } = serve(TEN);
    expect(idsOf(await catchUp(source, MODELS, headsOf(TEN, 3), undefined))).toEqual([8, 9, 10]);
    expect(pages).toEqual([]);
  });

  test('are those of the heads, if these contain everything', async () => {
    const { source, pages } = serve(TEN);
    expect(idsOf(await catchUp(source, MODELS, headsOf(TEN), since(-1)))).toHaveLength(10);
    expect(pages).toEqual([]);
  });

  test('are those of the heads, if these reach back before the cursor', async () => {
    const { source, pages } = serve(TEN);
    expect(idsOf(await catchUp(source, MODELS, headsOf(TEN, 3), since(9)))).toEqual([8, 9, 10]);
    expect(pages).toEqual([]);
  });

  test('are read since the cursor, inclusive, if the heads do not reach back before it', async () => {
    const { source, pages } = serve(TEN);
    expect(idsOf(await catchUp(source, MODELS, headsOf(TEN, 3), since(8)))).toEqual([8, 9, 10]);
    expect(idsOf(await catchUp(source, MODELS, headsOf(TEN, 3), since(5)))).toEqual([5, 6, 7, 8, 9, 10]);
    expect(pages).toMatchObject([
      { models: MODELS, by: '_updated_at', filters: { '_updated_at[gte]': at(8) }, bypassCdn: true },
      { filters: { '_last_published_at[gte]': at(8), '_updated_at[lt]': at(8) } },
      { by: '_updated_at', filters: { '_updated_at[gte]': at(5) }, bypassCdn: true },
      {
        models: MODELS,
        by: '_last_published_at',
        filters: { '_last_published_at[gte]': at(5), '_updated_at[lt]': at(5) },
        bypassCdn: true,
      },
    ]);
  });

  test('are read only by the time by which the heads do not reach back', async () => {
    const published = TEN.map((item) => ({ ...item, _updated_at: at(0) }));
    const quiet = serve(published);
    const changes = await catchUp(quiet.source, MODELS, headsOf(published, 3), since(1, 5));
    expect(idsOf(changes)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10]);
    expect(quiet.pages).toMatchObject([
      { by: '_last_published_at', filters: { '_last_published_at[gte]': at(5) } },
    ]);
    expect(quiet.pages[0]?.filters).not.toHaveProperty('_updated_at[lt]');

    const updated = TEN.map((item) => ({ ...item, _last_published_at: at(0) }));
    const drafts = serve(updated);
    await catchUp(drafts.source, MODELS, headsOf(updated, 3), since(5, 1));
    expect(drafts.pages).toMatchObject([{ by: '_updated_at' }]);
  });

  test('are read although the heads have items without a time', async () => {
    const items = [...TEN, draft(11, { _updated_at: at(11) })];
    const heads = headsOf(TEN, 3);
    const published = { ...heads.published, data: [...heads.published.data, draft(11)] };
    const { source, pages } = serve(items);
    await catchUp(source, MODELS, { ...heads, published }, since(9, 5));
    expect(pages).toMatchObject([{ by: '_last_published_at' }]);
  });

  test('are requested of every model if the heads cover every model', async () => {
    const { source, pages } = serve(TEN);
    await catchUp(source, ['article', 'note'], headsOf(TEN, 3), since(5));
    expect(pages[0]?.models).toEqual(['article', 'note']);
  });
});

describe('an item that was seen in two versions', () => {
  const [old, now] = [changedAt(1, 5), changedAt(1, 6)];
  const heads = (newest: WireContent): Heads => ({
    ...headsOf([now, changedAt(2, 4)]),
    published: headsOf([newest, changedAt(2, 4)]).published,
  });

  test('is read once more', async () => {
    const third = changedAt(1, 7);
    const { source, byId } = serve([third, changedAt(2, 4)]);
    const changes = await catchUp(source, MODELS, heads(old), undefined);
    expect(byId).toEqual([[1]]);
    expect(changes).toContainEqual(third);
    expect(idsOf(changes)).toEqual([1, 2]);
  });

  test('is not among the changes if it no longer exists', async () => {
    const { source } = serve([changedAt(2, 4)]);
    expect(idsOf(await catchUp(source, MODELS, heads(old), undefined))).toEqual([2]);
  });

  test('is accepted as it is if its model has other formats', async () => {
    const foreign = { ...now, _model: 'note' };
    const { source, byId } = serve([]);
    const changes = await catchUp(
      source,
      MODELS,
      {
        ...headsOf([foreign]),
        published: headsOf([{ ...old, _model: 'note' }]).published,
      },
      undefined,
    );
    expect(byId).toEqual([]);
    expect(changes).toMatchObject([foreign]);
  });

  test('is not read again if both reads are equal', async () => {
    const { source, byId } = serve([]);
    await catchUp(source, MODELS, heads(now), undefined);
    expect(byId).toEqual([]);
  });

  test('is read in requests of 100', async () => {
    const olds = Array.from({ length: 101 }, (_, n) => changedAt(n + 1, 1));
    const news = olds.map((item) => ({ ...item, _title: 'new' }));
    const { source, byId } = serve(news);
    const both = { ...headsOf(olds, 200), published: headsOf(news, 200).published };
    const changes = await catchUp(source, MODELS, both, undefined);
    expect(byId.map(({ length }) => length)).toEqual([100, 1]);
    expect(changes).toHaveLength(101);
  });
});
