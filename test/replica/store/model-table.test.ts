import { beforeEach, describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { DamagedSegment } from '../../../src/replica/content/segment-items.ts';
import type { ItemFacts } from '../../../src/replica/store/segments/facts-format.ts';
import { ModelTable, type TableOptions } from '../../../src/replica/store/segments/model-table.ts';
import { type Segment, sortKeyOf } from '../../../src/replica/store/segments/segments.ts';
import { wire } from '../../models/content.ts';
import { factsOf } from '../item-facts.ts';
import { WITHOUT_FACTS } from '../wire-items.ts';
import { packTable } from '../written.ts';

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
function open(segments: readonly Segment[] = [], facts: TableOptions = WITHOUT_FACTS) {
  return new ModelTable(
    'article',
    segments,
    async (hash) => {
      reads.push(hash);
      return stored.get(hash);
    },
    facts,
  );
}

/** Packs a copy and stores what it writes. */
async function save(copy: ModelTable) {
  const { segments, written } = await packTable(copy);
  for (const [hash, body] of written) stored.set(hash, body);
  return { segments, written };
}

/** Segments of about 250 of these items each. */
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
    expect(await copy.creationTimes()).toEqual([]);
    expect(await copy.find(1)).toBeUndefined();
    expect(await packTable(copy)).toEqual({ segments: [], written: new Map() });
  });

  test('accepts single items, and returns them in the order of their positions', async () => {
    const copy = open();
    for (const item of [at(3), at(1), at(2)]) await copy.put(item);
    expect(copy.count).toBe(3);
    expect(idsOf(await copy.all())).toEqual([1, 2, 3]);
    expect(await copy.get(sortKeyOf(at(2)))).toEqual(at(2));
    const { segments, written } = await packTable(copy);
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
    expect((await copy.creationTimes()).length).toBe(3);
  });

  test('can be a removal, even twice or of an unknown item', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.remove(at(2));
    await copy.remove(at(2));
    await copy.remove(at(9));
    expect(copy.count).toBe(2);
    expect(await copy.get(sortKeyOf(at(2)))).toBeUndefined();
    expect(idsOf(await copy.all())).toEqual([1, 3]);
    expect((await copy.creationTimes()).length).toBe(2);
  });

  test('can be undone', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.remove(at(2));
    await copy.put(at(2));
    await copy.put(at(4));
    await copy.remove(at(4));
    expect(copy.count).toBe(3);
    expect(idsOf(await copy.all())).toEqual([1, 2, 3]);
    expect((await copy.creationTimes()).length).toBe(3);
  });

  test('of everything replaces all items', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.put(at(9));
    copy.replace([at(5), at(4)]);
    expect(copy.count).toBe(2);
    expect(idsOf(await copy.all())).toEqual([4, 5]);
    expect(await copy.get(sortKeyOf(at(9)))).toBeUndefined();
    expect(await copy.get(sortKeyOf(at(1)))).toBeUndefined();
    expect((await copy.creationTimes()).length).toBe(2);
    await copy.remove(at(4));
    expect((await copy.creationTimes()).length).toBe(1);
  });
});

describe('segments', () => {
  test('have about 250 items each, and equal lengths', async () => {
    const counts = async (count: number) => (await segmentsOf(range(count))).map((one) => one.count);
    expect(await counts(1)).toEqual([1]);
    expect(await counts(374)).toEqual([374]);
    expect(await counts(375)).toEqual([187, 188]);
    expect(await counts(626)).toEqual([208, 209, 209]);
  });

  test('together contain each item once, in order', async () => {
    const segments = await segmentsOf(range(626).reverse());
    const copy = open(segments);
    expect(copy.count).toBe(626);
    expect(idsOf(await copy.all())).toEqual(idsOf(range(626)));
    expect(segments.map(({ first, last }) => [first.id, last.id])).toEqual([
      [1, 208],
      [209, 417],
      [418, 626],
    ]);
  });

  test('are read only for look-ups, and only once', async () => {
    const segments = await segmentsOf(range(626));
    const copy = open(segments);
    expect((await copy.get(sortKeyOf(at(209))))?._id).toBe(209);
    expect((await copy.get(sortKeyOf(at(417))))?._id).toBe(417);
    expect(reads).toEqual([segments[1]?.hash]);
    expect((await copy.get(sortKeyOf(at(1))))?._id).toBe(1);
    expect((await copy.get(sortKeyOf(at(626))))?._id).toBe(626);
    expect(await copy.get({ time: 0, id: 0 })).toBeUndefined();
    expect(await copy.get(sortKeyOf(at(9999)))).toBeUndefined();
    expect(reads).toHaveLength(3);
  });

  test('are written again only if something in them changed', async () => {
    const segments = await segmentsOf(range(626));
    const copy = open(segments);
    await copy.put(at(300, 300, 'new'));
    const { segments: after, written } = await save(copy);
    expect([after[0], after[2]]).toEqual([segments[0], segments[2]]);
    expect(after[1]).toMatchObject({ count: 209, first: { id: 209 }, last: { id: 417 } });
    expect([...written.keys()]).toEqual([after[1]?.hash]);
    expect(reads).toEqual([segments[1]?.hash]);
    const again = open(after);
    expect(await again.get(sortKeyOf(at(300)))).toEqual(at(300, 300, 'new'));
    expect(again.count).toBe(626);
  });

  test('are not written if nothing changed', async () => {
    const segments = await segmentsOf(range(626));
    expect(await packTable(open(segments))).toEqual({ segments, written: new Map() });
    expect(reads).toEqual([]);
  });

  test('accept items before the first, after the last and between two', async () => {
    const copy = open(await segmentsOf(range(500, 10)));
    // Places between the two segments: later than the last of the first, before the first of the second.
    const between = at(5, 259.5);
    for (const item of [at(1), at(9000), between]) await copy.put(item);
    const { segments } = await save(copy);
    expect(segments.map(({ count, first, last }) => [count, first.id, last.id])).toEqual([
      [252, 1, 5],
      [251, 260, 9000],
    ]);
    const ids = idsOf(await open(segments).all());
    expect(ids).toEqual([1, ...idsOf(range(250, 10)), 5, ...idsOf(range(250, 260)), 9000]);
  });

  test('that grow are split, and empty ones are removed', async () => {
    const copy = open(await segmentsOf(range(500)));
    for (const item of range(250)) await copy.remove(item);
    for (const item of range(150, 5000)) await copy.put(item);
    const { segments } = await save(copy);
    expect(segments.map(({ count, first }) => [count, first.id])).toEqual([
      [200, 251],
      [200, 451],
    ]);
    expect(copy.count).toBe(400);
  });

  test('that are all emptied are all removed', async () => {
    const copy = open(await segmentsOf(range(3)));
    for (const item of range(3)) await copy.remove(item);
    expect(await packTable(copy)).toEqual({ segments: [], written: new Map() });
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
    const times = (await copy.creationTimes()).filter((time) => time >= 1000 * from && time < 1000 * to);
    expect(times).toHaveLength(expected.length);
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

  test('has changed, added and not removed items', async () => {
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

  test('reads only the segments that it intersects', async () => {
    const segments = await segmentsOf(range(750));
    const copy = open(segments);
    expect(idsOf(await copy.between(250_000, 252_000))).toEqual([250, 251]);
    expect(reads).toEqual([segments[0]?.hash, segments[1]?.hash]);
    expect(idsOf(await open(segments).between(501_000, 502_000))).toEqual([501]);
    expect(reads.slice(2)).toEqual([segments[2]?.hash]);
    expect(idsOf(await open(segments).between(250_000, 251_000))).toEqual([250]);
    expect(reads.slice(3)).toEqual([segments[0]?.hash]);
  });
});

describe('an item is found by its id', () => {
  test('in a stored segment, or as it is now', async () => {
    const copy = open(await segmentsOf(range(626)));
    await copy.put(at(2, 2, 'new'));
    await copy.put(at(900));
    await copy.remove(at(3));
    expect(await copy.find(2)).toEqual(at(2, 2, 'new'));
    expect(await copy.find(3)).toBeUndefined();
    expect(await copy.find(417)).toEqual(at(417));
    expect(await copy.find(900)).toEqual(at(900));
    expect(await copy.find(901)).toBeUndefined();
  });
});

describe('facts', () => {
  /** Items refer to the item before them. */
  const linksOf = ({ _id }: WireContent) => [_id - 1];
  const linked = (items: readonly WireContent[]) =>
    factsOf(items, Object.fromEntries(items.map(({ _id }) => [_id, [_id - 1]])));
  const withFacts = (known: readonly (readonly [Segment | undefined, ItemFacts])[] = []): TableOptions => ({
    stored: async () => new Map(known.map(([segment, facts]) => [segment?.hash ?? '', facts])),
    linksOf,
  });
  /** Two segments of 250 items. */
  const ITEMS = range(500);
  const [first, second] = [ITEMS.slice(0, 250), ITEMS.slice(250)];

  test('show without reading a segment that an item is unchanged', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(segments, withFacts([[segments[1], linked(second)]]));
    expect(await copy.isUnchanged(at(251))).toBe(true);
    expect(await copy.isUnchanged(at(252))).toBe(true);
    expect(await copy.isUnchanged(at(500))).toBe(true);
    expect(reads).toEqual([]);
  });

  test('do not show it of an item with other data, or that is not stored', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(segments, withFacts([[segments[1], linked(second)]]));
    expect(await copy.isUnchanged(at(300, 300, 'new'))).toBe(false);
    expect(await copy.isUnchanged(at(501))).toBe(false);
    expect(await copy.isUnchanged(at(9001, 300))).toBe(false);
    expect(reads).toEqual([]);
  });

  test('do not show it of an item that was changed or removed since', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(segments, withFacts([[segments[1], linked(second)]]));
    await copy.put(at(300, 300, 'new'));
    await copy.remove(at(301));
    expect(await copy.isUnchanged(at(300))).toBe(false);
    expect(await copy.isUnchanged(at(300, 300, 'new'))).toBe(false);
    expect(await copy.isUnchanged(at(301))).toBe(false);
    expect(await copy.isUnchanged(at(302))).toBe(true);
  });

  test('do not show it if there are none of the segment, or no segments', async () => {
    const segments = await segmentsOf(ITEMS);
    const known = withFacts([[segments[1], linked(second)]]);
    expect(await open(segments, known).isUnchanged(at(1))).toBe(false);
    expect(await open([], known).isUnchanged(at(300))).toBe(false);
    const replaced = open(segments, known);
    replaced.replace(ITEMS);
    expect(await replaced.isUnchanged(at(300))).toBe(false);
  });

  test('are enough to know when items were created, and whether there is one', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(
      segments,
      withFacts([
        [segments[0], linked(first)],
        [segments[1], linked(second)],
      ]),
    );
    expect(await copy.creationTimes()).toEqual(range(500).map((_, n) => 1000 * (n + 1)));
    expect(await copy.find(501)).toBeUndefined();
    expect(reads).toEqual([]);
  });

  test('are the stored ones, without reading a segment', async () => {
    const segments = await segmentsOf(ITEMS);
    const known = [linked(first), linked(second)] as const;
    const facts = await open(
      segments,
      withFacts([
        [segments[1], known[1]],
        [segments[0], known[0]],
      ]),
    ).facts();
    expect(facts).toHaveLength(2);
    expect(facts[0]).toBe(known[0]);
    expect(facts[1]).toBe(known[1]);
    expect(reads).toEqual([]);
  });

  test('that are missing are made from their segment, once', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(segments, withFacts([[segments[0], linked(first)]]));
    expect(await copy.facts()).toEqual([linked(first), linked(second)]);
    expect(reads).toEqual([segments[1]?.hash]);
    const [, again] = await copy.facts();
    expect((await copy.facts())[1]).toBe(again);
    expect(reads).toHaveLength(1);
  });

  test('of new segments are made of what they contain', async () => {
    const segments = await segmentsOf(ITEMS);
    const copy = open(
      segments,
      withFacts([
        [segments[0], linked(first)],
        [segments[1], linked(second)],
      ]),
    );
    await copy.put(at(300, 300, 'new'));
    await copy.remove(at(251));
    await save(copy);
    const after = second
      .filter(({ _id }) => _id !== 251)
      .map((item) => (item._id === 300 ? at(300, 300, 'new') : item));
    expect(await copy.facts()).toEqual([linked(first), linked(after)]);
    expect(reads).toEqual([segments[1]?.hash]);
  });

  test('of a table that was replaced or is empty are those of its new items', async () => {
    const copy = open(await segmentsOf(range(3)), withFacts());
    copy.replace([at(8), at(7)]);
    await save(copy);
    expect(await copy.facts()).toEqual([linked([at(7), at(8)])]);
    expect(await open([], withFacts()).facts()).toEqual([]);
  });

  test('of a damaged segment are an error', async () => {
    const segments = await segmentsOf(range(3));
    stored.clear();
    await expect(open(segments, withFacts()).facts()).rejects.toThrow(DamagedSegment);
  });
});

describe('a table that became segments', () => {
  test('has the same items, without reading anything', async () => {
    const copy = open();
    copy.replace(range(500));
    await save(copy);
    expect(copy.count).toBe(500);
    expect(await copy.all()).toEqual(range(500));
    expect(await copy.get(sortKeyOf(at(300)))).toEqual(at(300));
    expect(reads).toEqual([]);
  });

  test('has its changes, and none of what was removed', async () => {
    const segments = await segmentsOf(range(500));
    const copy = open(segments);
    await copy.put(at(2, 2, 'new'));
    await copy.remove(at(3));
    await copy.put(at(900));
    const before = await copy.all();
    await save(copy);
    expect(await copy.all()).toEqual(before);
    expect(copy.count).toBe(500);
    expect(await copy.get(sortKeyOf(at(2)))).toEqual(at(2, 2, 'new'));
    expect(await copy.get(sortKeyOf(at(3)))).toBeUndefined();
    expect(await copy.creationTimes()).toHaveLength(500);
  });

  test('can be changed and become segments again', async () => {
    const copy = open(await segmentsOf(range(500)));
    await copy.put(at(2, 2, 'new'));
    await save(copy);
    await copy.put(at(2, 2, 'newer'));
    await copy.remove(at(500));
    const { segments, written } = await save(copy);
    expect(written.size).toBe(2);
    const again = open(segments);
    expect(await again.all()).toEqual(await copy.all());
    expect(await again.get(sortKeyOf(at(2)))).toEqual(at(2, 2, 'newer'));
    expect([copy.count, again.count]).toEqual([499, 499]);
  });

  test('is written only once', async () => {
    const copy = open(await segmentsOf(range(3)));
    await copy.put(at(2, 2, 'new'));
    const { segments } = await save(copy);
    expect(await packTable(copy)).toEqual({ segments, written: new Map() });
  });
});
