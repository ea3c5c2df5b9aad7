import { afterEach, describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';

const START = Date.UTC(2020, 0, 1);
const timeOf = (index: number) => new Date(START + index * 1000).toISOString();

/** 2,002 items, created second by second, so that a filter by time chooses how many match. */
const seed = {
  keys: [{ key: 'pub', reads: 'published' }],
  models: { filler: { title: { type: 'text' } } },
  contents: Array.from({ length: 2002 }, (_, index) => ({
    id: index + 1,
    model: 'filler',
    created_at: timeOf(index),
    published: { ja: { title: `filler ${index}` } },
  })),
};

const server = startServer({}, seed);

afterEach(() => {
  server.emulator.assumptions = {};
});

/** The ids beside item 500 while so many items match. */
async function neighbours(matching: number): Promise<unknown[]> {
  const filter = `_created_at[lt]=${timeOf(matching)}`;
  const query = `include=_prev,_next&order=_created_at&${filter}&select=_prev._id,_next._id`;
  const { _prev, _next } = await server.readItem(500, query);
  return [(_prev as Item)._id, (_next as Item)._id];
}

describe('how far neighbours can be trusted', () => {
  it('§4.2 _prev is reliable up to 1,000 matching items, and may be wrong above', async () => {
    server.emulator.assumptions.wrongNeighbours = true;
    expect((await neighbours(1000))[0]).toBe(499);
    expect((await neighbours(1001))[0]).not.toBe(499);
  });

  it('§4.2 _next is reliable up to 2,000 matching items, and may be wrong above', async () => {
    server.emulator.assumptions.wrongNeighbours = true;
    expect((await neighbours(2000))[1]).toBe(501);
    expect((await neighbours(2001))[1]).not.toBe(501);
  });

  it('§4.2 _prev and _next are correct at any size by default', async () => {
    expect(await neighbours(2001)).toEqual([499, 501]);
  });
});
