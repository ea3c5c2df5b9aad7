import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { type ReadPage, scan } from '../../src/replica/scan.ts';
import { wire } from '../models/content.ts';

const items = (count: number): WireContent[] =>
  Array.from({ length: count }, (_, index) => wire('item', {}, index + 1));

/** Pages of a list as the service gives them, with an edit before any of them. */
function pages(
  list: WireContent[],
  edit: (request: number) => void = () => {},
): { read: ReadPage; asked: number[] } {
  const asked: number[] = [];
  const read: ReadPage = async ({ offset, limit }) => {
    edit(asked.length);
    asked.push(offset);
    return { total: list.length, offset, limit, data: list.slice(offset, offset + limit) };
  };
  return { read, asked };
}

describe('a scan', () => {
  test.each([0, 1, 99, 100, 101, 199, 200, 1000])('of %i items reads each once, in order', async (count) => {
    const { read } = pages(items(count));
    const ids = (await scan('item', read)).map(({ _id }) => _id);
    expect(ids).toEqual(items(count).map(({ _id }) => _id));
  });

  test('asks for no more pages than overlapping by one needs', async () => {
    const { read, asked } = pages(items(1000));
    await scan('item', read);
    expect(asked).toEqual([0, 99, 198, 297, 396, 495, 594, 693, 792, 891, 990].slice(0, asked.length));
    expect(asked).toHaveLength(Math.ceil((1000 - 100) / 99) + 1);
  });

  test('never loses an item to edits between its pages', async () => {
    const edits = fc.array(fc.record({ before: fc.nat(8), at: fc.nat(400), add: fc.boolean() }), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(edits, async (plan) => {
        const list = items(350);
        let next = 1000;
        const { read } = pages(list, (request) => {
          for (const { before, at, add } of plan.filter((edit) => edit.before === request)) {
            list.splice(
              Math.min(at, list.length - 1),
              add ? 0 : 1,
              ...(add ? [wire('item', {}, next++)] : []),
            );
            expect(before).toBe(request);
          }
        });
        const stays = new Set(list);
        const result = await scan('item', read);
        for (const item of list) if (stays.has(item)) expect(result).toContain(item);
        expect(new Set(result).size).toBe(result.length);
      }),
      { numRuns: 200 },
    );
  });

  test('of what changes all the time ends in an error', async () => {
    const list = items(150);
    const { read } = pages(list, () => list.shift());
    await expect(scan('item', read)).rejects.toThrow(/item changed each of the 5 times/);
  });
});
