import { beforeEach, describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { DamagedSegment, ModelTable } from '../../../src/replica/store/model-table.ts';
import { SEGMENT_SIZE, type Segment, sortKeyOf } from '../../../src/replica/store/segments.ts';
import { wire } from '../../models/content.ts';
import { WITHOUT_FACTS } from '../wire-items.ts';

/** An item that was created in a second. */
const at = (id: number, second = id, title = 'old') =>
  wire('article', { _created_at: new Date(1000 * second).toISOString(), title }, id);
const range = (count: number, from = 1) => Array.from({ length: count }, (_, n) => at(n + from));
const idsOf = (items: readonly WireContent[]) => items.map(({ _id }) => _id);

let stored: Map<string, string>;
let reads: string[];
beforeEach(() => {
  stored = new Map();
  reads = [];
});

/** A copy of what lies in these segments. */
function open(segments: readonly Segment[] = []) {
  return new ModelTable(
    'article',
    segments,
    async (hash) => {
      reads.push(hash);
      return stored.get(hash);
    },
    WITHOUT_FACTS,
  );
}

/** Packs a copy and stores what it writes. */
async function save(copy: ModelTable) {
  const { segments, written } = await copy.toSegments();
  for (const [hash, body] of written) stored.set(hash, body);
  return { segments, written };
}

/** Segments of about a thousand of these items each. */
async function segmentsOf(items: readonly WireContent[]) {
  const copy = open();
  copy.replace(items);
  return (await save(copy)).segments;
}

describe('an empty table', () => {
  test('has no items', async () => {
    const copy = open();
    expect(copy.model).toBe('article');
    expect(copy.count).toBe(0);
    expect(await copy.all()).toEqual([]);
    expect(await copy.get({ time: 0, id: 1 })).toBeUndefined();
    expect(await copy.between(0, 1e12)).toEqual([]);
    expect(await copy.countBetween(0, 1e12)).toBe(0);
    expect(await copy.cuts(0, 1e12, 4)).toEqual([]);
    expect(await copy.toSegments()).toEqual({ segments: [], written: new Map() });
  });

  test('accepts single items, and returns them in the order of their positions', async () => {
    const copy = open();
    for (const item of [at(3), at(1), at(2)]) await copy.put(item);
    expect(copy.count).toBe(3);
    expect(idsOf(await copy.all())).toEqual([1, 2, 3]);
    expect(await copy.get(sortKeyOf(at(2)))).toEqual(at(2));
    const { segments, written } = await copy.toSegments();
    expect(segments).toHaveLength(1);
    expect(written.size).toBe(1);
  });
});

describe('a change', () => {
  test('of a stored item is visible at once, and counted once', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.put(at(2, 2, 'new'));
    await copy.put(at(2, 2, 'newer'));
    expect(copy.count).toBe(3);
    expect(await copy.get(sortKeyOf(at(2)))).toEqual(at(2, 2, 'newer'));
    expect((await copy.all()).map(({ title }) => title)).toEqual(['old', 'newer', 'old']);
    expect(await copy.countBetween(0, 10_000)).toBe(3);
  });

  test('can be a removal, even twice or of an unknown item', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.remove(at(2));
    await copy.remove(at(2));
    await copy.remove(at(9));
    expect(copy.count).toBe(2);
    expect(await copy.get(sortKeyOf(at(2)))).toBeUndefined();
    expect(idsOf(await copy.all())).toEqual([1, 3]);
    expect(await copy.countBetween(0, 10_000)).toBe(2);
  });

  test('can be undone', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.remove(at(2));
    await copy.put(at(2));
    await copy.put(at(4));
    await copy.remove(at(4));
    expect(copy.count).toBe(3);
    expect(idsOf(await copy.all())).toEqual([1, 2, 3]);
    expect(await copy.countBetween(0, 10_000)).toBe(3);
  });

  test('of everything replaces all items', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.put(at(9));
    copy.replace([at(5), at(4)]);
    expect(copy.count).toBe(2);
    expect(idsOf(await copy.all())).toEqual([4, 5]);
    expect(await copy.get(sortKeyOf(at(9)))).toBeUndefined();
    expect(await copy.get(sortKeyOf(at(1)))).toBeUndefined();
    expect(await copy.countBetween(0, 10_000)).toBe(2);
    await copy.remove(at(4));
    expect(await copy.countBetween(0, 10_000)).toBe(1);
  });
});

describe('segments', () => {
  test('have about 1,000 items each, and equal lengths', async () => {
    const counts = async (count: number) => (await segmentsOf(range(count))).map((one) => one.count);
    expect(await counts(1)).toEqual([1]);
    expect(await counts(1499)).toEqual([1499]);
    expect(await counts(1500)).toEqual([750, 750]);
    expect(await counts(2501)).toEqual([833, 834, 834]);
  });

  test('together contain each item once, in order', async () => {
    const segments = await segmentsOf(range(2501).reverse());
    const copy = open(segments);
    expect(copy.count).toBe(2501);
    expect(idsOf(await copy.all())).toEqual(idsOf(range(2501)));
    expect(segments.map(({ first, last }) => [first.id, last.id])).toEqual([
      [1, 833],
      [834, 1667],
      [1668, 2501],
    ]);
  });

  test('are read only for look-ups, and only once', async () => {
    const segments = await segmentsOf(range(2501));
    const copy = open(segments);
    expect((await copy.get(sortKeyOf(at(834))))?._id).toBe(834);
    expect((await copy.get(sortKeyOf(at(1667))))?._id).toBe(1667);
    expect(reads).toEqual([segments[1]?.hash]);
    expect((await copy.get(sortKeyOf(at(1))))?._id).toBe(1);
    expect((await copy.get(sortKeyOf(at(2501))))?._id).toBe(2501);
    expect(await copy.get({ time: 0, id: 0 })).toBeUndefined();
    expect(await copy.get(sortKeyOf(at(9999)))).toBeUndefined();
    expect(reads).toHaveLength(3);
  });

  test('are written again only if something in them changed', async () => {
    const segments = await segmentsOf(range(2501));
    const copy = open(segments);
    await copy.put(at(900, 900, 'new'));
    const { segments: after, written } = await save(copy);
    expect([after[0], after[2]]).toEqual([segments[0], segments[2]]);
    expect(after[1]).toMatchObject({ count: 834, first: { id: 834 }, last: { id: 1667 } });
    expect([...written.keys()]).toEqual([after[1]?.hash]);
    expect(reads).toEqual([segments[1]?.hash]);
    const again = open(after);
    expect(await again.get(sortKeyOf(at(900)))).toEqual(at(900, 900, 'new'));
    expect(again.count).toBe(2501);
  });

  test('are not written if nothing changed', async () => {
    const segments = await segmentsOf(range(2501));
    expect(await open(segments).toSegments()).toEqual({ segments, written: new Map() });
    expect(reads).toEqual([]);
  });

  test('accept items before the first, after the last and between two', async () => {
    const copy = open(await segmentsOf(range(2000, 10)));
    // Places between the two segments: later than the last of the first, before the first of the second.
    const between = at(5, 1009.5);
    for (const item of [at(1), at(9000), between]) await copy.put(item);
    const { segments } = await save(copy);
    expect(segments.map(({ count, first, last }) => [count, first.id, last.id])).toEqual([
      [1002, 1, 5],
      [1001, 1010, 9000],
    ]);
    const ids = idsOf(await open(segments).all());
    expect(ids).toEqual([1, ...idsOf(range(1000, 10)), 5, ...idsOf(range(1000, 1010)), 9000]);
  });

  test('that grow are split, and empty ones are removed', async () => {
    const copy = open(await segmentsOf(range(2000)));
    for (const item of range(1000)) await copy.remove(item);
    for (const item of range(600, 5000)) await copy.put(item);
    const { segments } = await save(copy);
    expect(segments.map(({ count, first }) => [count, first.id])).toEqual([
      [800, 1001],
      [800, 1801],
    ]);
    expect(copy.count).toBe(1600);
  });

  test('that are all emptied are all removed', async () => {
    const copy = open(await segmentsOf(range(3)));
    for (const item of range(3)) await copy.remove(item);
    expect(await copy.toSegments()).toEqual({ segments: [], written: new Map() });
  });

  test('that are missing or damaged are reported with their model', async () => {
    const segments = await segmentsOf(range(3));
    stored.set(segments[0]?.hash ?? '', '[]');
    const reading = open(segments).all();
    await expect(reading).rejects.toThrow(DamagedSegment);
    await expect(reading).rejects.toMatchObject({
      name: 'LuidError',
      model: 'article',
      message: 'The cache of article is damaged or incomplete',
    });
    stored.clear();
    await expect(open(segments).get(sortKeyOf(at(1)))).rejects.toThrow(DamagedSegment);
  });
});

describe('a time range', () => {
  const check = async (copy: ModelTable, from: number, to: number, expected: number[]) => {
    expect(idsOf(await copy.between(1000 * from, 1000 * to))).toEqual(expected);
    expect(await copy.countBetween(1000 * from, 1000 * to)).toBe(expected.length);
  };

  test('includes its start and excludes its end', async () => {
    const copy = open(await segmentsOf(range(10)));
    await check(copy, 3, 6, [3, 4, 5]);
    await check(copy, 3, 3, []);
    await check(copy, 0, 1, []);
    await check(copy, 10, 11, [10]);
    await check(copy, 11, 20, []);
    await check(copy, 0, 99, idsOf(range(10)));
  });

  test('counts changed, added and removed items', async () => {
    const copy = open(await segmentsOf(range(10)));
    await copy.put(at(4, 4, 'new'));
    await copy.put(at(50, 5));
    await copy.remove(at(3));
    await copy.remove(at(6));
    await copy.put(at(20, 0));
    await copy.put(at(70, 7));
    await copy.put(at(71, 7));
    await check(copy, 3, 6, [4, 5, 50]);
    await check(copy, 6, 7, []);
    await check(copy, 7, 8, [7, 70, 71]);
    await check(copy, 0, 99, [20, 1, 2, 4, 5, 50, 7, 70, 71, 8, 9, 10]);
  });

  test('is counted without reading the segments inside it', async () => {
    const segments = await segmentsOf(range(3000));
    const copy = open(segments);
    expect(await copy.countBetween(0, 4_000_000)).toBe(3000);
    expect(await copy.countBetween(1_001_000, 2_001_000)).toBe(1000);
    expect(await copy.countBetween(1_001_000, 2_000_001)).toBe(1000);
    expect(reads).toEqual([]);
    expect(await copy.countBetween(500_000, 2_001_000)).toBe(1501);
    expect(reads).toEqual([segments[0]?.hash]);
    expect(await copy.countBetween(1_001_000, 2_000_000)).toBe(999);
    expect(reads).toEqual([segments[0]?.hash, segments[1]?.hash]);
  });

  test('reads only the segments that it intersects', async () => {
    const segments = await segmentsOf(range(3000));
    const copy = open(segments);
    expect(idsOf(await copy.between(1_000_000, 1_002_000))).toEqual([1000, 1001]);
    expect(reads).toEqual([segments[0]?.hash, segments[1]?.hash]);
    expect(idsOf(await open(segments).between(2_001_000, 2_002_000))).toEqual([2001]);
    expect(reads.slice(2)).toEqual([segments[2]?.hash]);
    expect(idsOf(await open(segments).between(1_000_000, 1_001_000))).toEqual([1000]);
    expect(reads.slice(3)).toEqual([segments[0]?.hash]);
  });

  test('is split at the start of a segment, without reading any', async () => {
    const copy = open(await segmentsOf(range(4 * SEGMENT_SIZE)));
    const [second, third, fourth] = [1, 2, 3].map((n) => 1000 * (n * SEGMENT_SIZE + 1)) as [
      number,
      number,
      number,
    ];
    expect(await copy.cuts(0, 9_000_000, 2)).toEqual([third]);
    expect(await copy.cuts(0, 9_000_000, 4)).toEqual([second, third, fourth]);
    expect(await copy.cuts(second, fourth, 2)).toEqual([third]);
    expect(reads).toEqual([]);
  });

  test('is split at the nearest of many segments', async () => {
    const copy = open(await segmentsOf(range(20 * SEGMENT_SIZE)));
    expect(await copy.cuts(0, 90_000_000, 2)).toEqual([1000 * (10 * SEGMENT_SIZE + 1)]);
    expect(reads).toEqual([]);
  });

  test('is split at segments that are near the right place, or else inside of them', async () => {
    const count = 4.1 * SEGMENT_SIZE;
    const copy = open(await segmentsOf(range(count)));
    expect(await copy.cuts(0, 9_000_000, 4)).toHaveLength(3);
    expect(reads).toEqual([]);
    const thirds = [count / 3, (2 * count) / 3].map((position) => 1000 * (1 + Math.floor(position)));
    for (const [index, cut] of (await copy.cuts(0, 9_000_000, 3)).entries())
      expect(Math.abs(cut - (thirds[index] as number))).toBeLessThanOrEqual(1000);
    expect(reads).toHaveLength(2);
  });

  test('inside a segment is split at its items, at whole seconds', async () => {
    const copy = open(await segmentsOf(range(10).map((item) => ({ ...item }))));
    expect(await copy.cuts(1000, 11_000, 2)).toEqual([6000]);
    expect(await copy.cuts(1000, 11_000, 5)).toEqual([3000, 5000, 7000, 9000]);
    expect(await copy.cuts(3000, 6000, 2)).toEqual([4000]);
    const fine = open(await segmentsOf([at(1, 1.2), at(2, 2.7), at(3, 3.9)]));
    expect(await fine.cuts(1500, 9000, 2)).toEqual([3000]);
    expect(await fine.cuts(0, 3000, 2)).toEqual([2000]);
  });

  test('of items that are not stored yet is split too', async () => {
    const copy = open();
    copy.replace(range(10));
    expect(await copy.cuts(0, 11_000, 2)).toEqual([6000]);
  });

  test('within one second cannot be split', async () => {
    const copy = open(await segmentsOf([at(1, 5.1), at(2, 5.5), at(3, 5.9)]));
    expect(await copy.cuts(5000, 6000, 4)).toEqual([]);
    expect(await copy.cuts(5000, 9000, 4)).toEqual([]);
    expect(await copy.cuts(7000, 9000, 4)).toEqual([]);
    expect(await open(await segmentsOf(range(2000))).cuts(1_001_000, 1_002_000, 4)).toEqual([]);
  });
});
