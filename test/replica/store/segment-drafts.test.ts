import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { ModelTable } from '../../../src/replica/store/segments/model-table.ts';
import { encodeSegment, SegmentDrafts } from '../../../src/replica/store/segments/segment-drafts.ts';
import { decode, SEGMENT_SIZE, type Segment } from '../../../src/replica/store/segments/segments.ts';
import { content, at as time, WITHOUT_FACTS } from '../wire-items.ts';

const { linksOf } = WITHOUT_FACTS;
const itemAt = (id: number, title = 'old') => content(id, { _created_at: time(id), title });
const range = (count: number) => Array.from({ length: count }, (_, n) => itemAt(n + 1));

/** Until all drafts are made. */
async function turns(): Promise<void> {
  for (let n = 0; n < 10; n++) await setImmediate();
}

async function draftsOf(items: readonly WireContent[], links = linksOf): Promise<SegmentDrafts> {
  const drafts = new SegmentDrafts({ linksOf: links });
  for (let n = 0; n < items.length; n += 99) drafts.add(items.slice(n, n + 99));
  await turns();
  return drafts;
}

describe('a draft', () => {
  const items = range(2 * SEGMENT_SIZE + 10);

  test('is the segment of its items, once', async () => {
    const drafts = await draftsOf(items);
    expect(drafts.take(items, 0)).toEqual(encodeSegment(items.slice(0, SEGMENT_SIZE), { linksOf }));
    expect(drafts.take(items, 0)).toBeUndefined();
    expect(drafts.take(items, SEGMENT_SIZE)?.segment.first.id).toBe(SEGMENT_SIZE + 1);
    expect(drafts.take(items, 2 * SEGMENT_SIZE)).toBeUndefined();
  });

  test('is not used if one of its items was read again, removed or added', async () => {
    const changes = [
      items.with(SEGMENT_SIZE - 1, { ...(items[SEGMENT_SIZE - 1] as WireContent) }),
      items.toSpliced(7, 1),
      items.toSpliced(7, 0, itemAt(7, 'new')),
      items.slice(0, SEGMENT_SIZE - 1),
    ];
    for (const list of changes) expect((await draftsOf(items)).take(list, 0)).toBeUndefined();
  });

  test('is not made of items that cannot be encoded: storing them fails', async () => {
    const drafts = await draftsOf(items, () => {
      throw new TypeError('not a model');
    });
    expect(drafts.take(items, 0)).toBeUndefined();
  });
});

describe('drafts are made', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const items = range(3 * SEGMENT_SIZE);
  const [first, second, third] = [0, 1, 2].map((n) =>
    items.slice(n * SEGMENT_SIZE, (n + 1) * SEGMENT_SIZE),
  ) as [WireContent[], WireContent[], WireContent[]];
  const isDrafted = (drafts: SegmentDrafts, list: readonly WireContent[]) =>
    drafts.take(list, 0) !== undefined;
  /** Items of a segment with so many characters. */
  function ofSize(size: number): WireContent[] {
    const { body } = encodeSegment(first, { linksOf });
    const [one, ...others] = first as [WireContent, ...WireContent[]];
    return [{ ...one, title: `${one.title}${'x'.repeat(size - body.length)}` }, ...others];
  }
  const MOST = 32 * 2 ** 20;

  test('as soon as there are enough items, one at a time, and then no more', () => {
    const drafts = new SegmentDrafts({ linksOf });
    drafts.add(first.slice(1));
    expect(vi.getTimerCount()).toBe(0);
    const shifted = [...first.slice(1), ...second];
    drafts.add(second.slice(0, 1));
    drafts.add(second.slice(1));
    expect(vi.getTimerCount()).toBe(1);
    vi.runAllTimers();
    expect(vi.getTimerCount()).toBe(0);
    expect(isDrafted(drafts, shifted)).toBe(true);
    const two = new SegmentDrafts({ linksOf });
    two.add([...first, ...second]);
    vi.runOnlyPendingTimers();
    expect([isDrafted(two, first), isDrafted(two, second)]).toEqual([true, false]);
    vi.runAllTimers();
    expect(isDrafted(two, second)).toBe(true);
  });

  test('not of items that were added before a table was stored', () => {
    const drafts = new SegmentDrafts({ linksOf });
    drafts.add([...first, ...second.slice(0, 10)]);
    vi.runAllTimers();
    drafts.clear();
    drafts.add(second);
    vi.runAllTimers();
    expect([isDrafted(drafts, first), isDrafted(drafts, second)]).toEqual([false, true]);
    drafts.add(first);
    drafts.clear();
    drafts.add(second.slice(0, 10));
    vi.runAllTimers();
    expect(isDrafted(drafts, second)).toBe(false);
  });

  test.each([
    ['less than the most', MOST - 1, true],
    ['the most', MOST, false],
    ['more than the most', MOST + 1, false],
  ])('while those in memory have %s characters', (_, size, expected) => {
    const large = ofSize(size);
    const drafts = new SegmentDrafts({ linksOf });
    drafts.add([...large, ...second]);
    vi.runAllTimers();
    expect([isDrafted(drafts, large), isDrafted(drafts, second)]).toEqual([true, expected]);
    drafts.clear();
    drafts.add(second);
    vi.runAllTimers();
    expect(isDrafted(drafts, second)).toBe(true);
  });

  test('not of what follows items that cannot be encoded, until others are added', () => {
    const drafts = new SegmentDrafts({
      linksOf(item) {
        if (item._id === 1) throw new TypeError('not a model');
        return linksOf(item);
      },
    });
    drafts.add([...first, ...second]);
    vi.runAllTimers();
    drafts.add(third);
    vi.runAllTimers();
    expect([first, second, third].map((list) => isDrafted(drafts, list))).toEqual([false, false, true]);
  });
});

describe('a table with drafts', () => {
  const items = range(4 * SEGMENT_SIZE + 10);

  async function tableOf(list: readonly WireContent[], change?: (table: ModelTable) => Promise<void>) {
    const table = new ModelTable('article', [], async () => undefined, WITHOUT_FACTS);
    table.draft(items);
    await turns();
    table.replace(list);
    await change?.(table);
    const { segments, written } = await table.toSegments();
    const stored = segments.flatMap((segment) => decode(segment, written.get(segment.hash)) ?? []);
    return { table, segments, stored, facts: await table.facts() };
  }

  const sizesOf = (segments: readonly Segment[]) => segments.map(({ count }) => count);

  test('stores them, and the rest beside them', async () => {
    const { segments, stored, facts } = await tableOf(items);
    expect(sizesOf(segments)).toEqual([250, 250, 250, 250, 10]);
    expect(stored).toEqual(items);
    expect(facts.flatMap(({ ids }) => [...ids])).toEqual(items.map(({ _id }) => _id));
  });

  test.each([
    ['replaced', items.with(300, itemAt(301, 'new'))],
    ['removed', items.toSpliced(300, 1)],
    ['added', items.toSpliced(300, 0, { ...itemAt(301, 'new'), _id: 9000, _created_at: time(300.5) })],
  ])('stores what was read last if an item was %s', async (_, list) => {
    expect((await tableOf(list)).stored).toEqual(list);
  });

  test('stores single changes since', async () => {
    const edited = itemAt(600, 'edited');
    const { stored } = await tableOf(items, async (table) => {
      await table.put(edited);
      await table.remove(items[2] as WireContent);
    });
    expect(stored).toEqual(items.with(599, edited).toSpliced(2, 1));
  });
});
