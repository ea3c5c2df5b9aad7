import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { ModelTable } from '../../../src/replica/store/model-table.ts';
import { encodeSegment, SegmentDrafts } from '../../../src/replica/store/segment-drafts.ts';
import { decode, SEGMENT_SIZE, type Segment } from '../../../src/replica/store/segments.ts';
import { content, at as time, WITHOUT_FACTS } from '../wire-items.ts';

const { linksOf } = WITHOUT_FACTS;
const itemAt = (id: number, title = 'old') => content(id, { _created_at: time(id), title });
const range = (count: number) => Array.from({ length: count }, (_, n) => itemAt(n + 1));

/** Until all drafts are made. */
async function turns(): Promise<void> {
  for (let n = 0; n < 10; n++) await setImmediate();
}

async function draftsOf(items: readonly WireContent[], links = linksOf): Promise<SegmentDrafts> {
  const drafts = new SegmentDrafts(links);
  for (let n = 0; n < items.length; n += 99) drafts.add(items.slice(n, n + 99));
  await turns();
  return drafts;
}

describe('a draft', () => {
  const items = range(2 * SEGMENT_SIZE + 10);

  test('is the segment of its items, once', async () => {
    const drafts = await draftsOf(items);
    expect(drafts.take(items, 0)).toEqual(encodeSegment(items.slice(0, SEGMENT_SIZE), linksOf));
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
