import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scripted } from '../scripted-service.ts';

/** A service with these ids, which `edit` changes before the nth response. */
function serving(ids: number[], edit: (n: number) => void = () => {}) {
  const service = scripted(({ url }, n) => {
    edit(n);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? 100);
    const data = ids.slice(offset, offset + limit).map((_id) => ({ _id, title: `item ${_id}` }));
    return Response.json({ total: ids.length, offset, limit, data });
  });
  return service;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('iterate', () => {
  test.each([0, 1, 99, 100, 101, 199, 298, 1000])('yields all of %i items once, in order', async (count) => {
    const { client, clock, sent } = serving(numbers(count));
    const items = await clock.run(client.contents.all('item'));
    expect(items.map(({ _id }) => _id)).toEqual(numbers(count));
    expect(sent).toHaveLength(Math.max(1, Math.ceil((count - 1) / 99)));
  });

  test.each([101, 199, 250])(
    'yields the last of %i items if the page after others is empty',
    async (count) => {
      const ids = numbers(count);
      const { client, clock } = serving(ids, (n) => {
        if (n === 2) ids.splice(0, count - 99);
      });
      const items = await clock.run(client.contents.all('item'));
      expect(items.at(-1)?._id).toBe(count);
    },
  );

  test('yields each item that exists all the time once, whatever is added and removed meanwhile', async () => {
    // A page ends at 100, 199 and 298.
    const sizes = fc.constantFrom(101, 102, 200, 201, 300, 350);
    const edit = fc.record({ before: fc.integer({ min: 2, max: 7 }), at: fc.nat(400), add: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 8 }), sizes, async (edits, size) => {
        const ids = numbers(size);
        let next = 10_000;
        const { client, clock } = serving(ids, (n) => {
          for (const { at, add } of edits.filter(({ before }) => before === n)) {
            ids.splice(Math.min(at, ids.length - 1), add ? 0 : 1, ...(add ? [next++] : []));
          }
        });
        const given = (await clock.run(client.contents.all('item'))).map(({ _id }) => _id);
        expect(new Set(given).size).toBe(given.length);
        for (const id of ids.filter((id) => id < 10_000)) expect(given).toContain(id);
      }),
      { numRuns: 100 },
    );
  });

  // How many of the first items each page does not know any more.
  test.each([
    ['one item is removed', [0, 1], (id: number) => id <= 150],
    ['the second page is empty', [0, 90], (id: number) => id <= 100],
    ['a later page has a gap', [0, 0, 10], (id: number) => id <= 199 || id >= 209],
  ])('ends although a CDN has pages of different moments: %s', async (_name, removed, isExpected) => {
    const all = numbers(removed.length === 2 ? 150 : 350);
    const { client, clock, sent } = scripted(({ url }) => {
      const offset = Number(url.searchParams.get('offset') ?? 0);
      const ids = all.slice(removed[Math.floor(offset / 99)] ?? removed.at(-1));
      const data = ids.slice(offset, offset + 100).map((_id) => ({ _id }));
      return Response.json({ total: ids.length, offset, limit: 100, data });
    });
    const items = await clock.run(client.contents.all('item'));
    expect(items.map(({ _id }) => _id)).toEqual(all.filter(isExpected));
    expect(sent.length).toBeLessThan(12);
  });

  test('requests one page ahead, and no more', async () => {
    const { client, clock, sent } = serving(numbers(1000));
    const items = client.contents.iterate('item');
    await clock.run(items.next());
    expect(sent).toHaveLength(2);
    for (let n = 0; n < 50; n++) await clock.run(items.next());
    expect(sent).toHaveLength(2);
    await items.return();
  });

  test('ended early aborts its request', async () => {
    let aborted = 0;
    const { client, clock } = scripted(({ url }, n) => {
      if (n === 2) return new Promise<never>(() => {});
      const offset = Number(url.searchParams.get('offset'));
      return Response.json({ total: 500, offset, limit: 100, data: numbers(100).map((_id) => ({ _id })) });
    }, {});
    const items = client.contents.iterate('item');
    await clock.run(items.next());
    await clock.run(items.return().then(() => aborted++));
    await expect(clock.run(new Promise(() => {}))).rejects.toThrow('there is no timer');
    expect(aborted).toBe(1);
  });

  test('yields only selected properties, even if _id is not among them', async () => {
    const { client, clock, sent } = serving(numbers(150));
    const items = await clock.run(client.contents.all('item', { select: ['title'] }));
    expect(items).toHaveLength(150);
    expect(items[0]).toEqual({ title: 'item 1' });
    expect(sent[0]?.url.searchParams.get('select')).toBe('title,_id');
  });
});

test('count requests one item only', async () => {
  const { client, clock, sent } = serving(numbers(500));
  expect(await clock.run(client.contents.count('item'))).toBe(500);
  expect(sent.map(({ url }) => url.search)).toEqual(['?depth=0&limit=1&model=item&select=_id']);
});
