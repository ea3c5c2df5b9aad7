import { describe, expect, test, vi } from 'vitest';
import { field } from '../../../src/index.ts';
import { SegmentItems } from '../../../src/replica/content/segment-items.ts';
import { encode } from '../../../src/replica/store/segments/segments.ts';
import { wire } from '../../models/content.ts';
import { factsOf } from '../item-facts.ts';

const models = {
  article: { title: field.text(), author: field.reference('author') },
  author: { name: field.text() },
};

async function segmentOf(items: Parameters<typeof encode>[0]) {
  const { segment, body } = encode(items);
  return inMemory(segment, new TextEncoder().encode(body));
}

async function inMemory(segment: ReturnType<typeof encode>['segment'], bytes: Uint8Array | undefined) {
  const items = new SegmentItems('article', segment, async () => bytes);
  await items.read();
  return items;
}

const HOSTILE = ['a,\n{"_id":9}', '"', '\\', '[', ']', '\u2028', '夕暮れ', '😀', '{}', ',\\n', ''];

describe('the items of a segment', () => {
  test.each([1, 2, 3, 250])('%i items are found one by one, whatever they contain', async (count) => {
    const items = Array.from({ length: count }, (_, n) =>
      wire('article', { title: HOSTILE[n % HOSTILE.length], author: null }, n + 1),
    );
    const segment = await segmentOf(items);
    for (const [index, item] of items.entries()) expect(segment.get(index)).toEqual(item);
    expect([...segment.ids()]).toEqual(items.map(({ _id }) => _id));
  });

  test('each call parses an item again, so that pages cannot change what others see', async () => {
    const segment = await segmentOf([wire('article', { title: 'a' }, 1)]);
    segment.get(0).title = 'changed';
    expect(segment.get(0).title).toBe('a');
  });

  test('know what they refer to', async () => {
    const segment = await segmentOf([
      wire('article', { author: 7 }, 1),
      wire('article', { author: null }, 2),
    ]);
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[7], []]);
  });

  test('refer to nothing by a value that is not an id, or that does not exist', async () => {
    const segment = await segmentOf([wire('article', { author: { name: 'embedded' } }, 1)]);
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[], []]);
  });

  test('have the ids and links of their facts, if these are set', async () => {
    const items = [wire('article', { author: 7 }, 1), wire('article', { author: 7 }, 2)];
    const segment = await segmentOf(items);
    segment.setFacts(factsOf(items, { 1: [8, 9], 2: [10] }));
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[8, 9], [10]]);
    expect([...segment.ids()]).toEqual([1, 2]);
  });

  test.each([
    ['with', Buffer],
    ['without', undefined],
  ])("are searched for a string, %s Node's buffers", async (_, buffer) => {
    const { segment, body } = encode([
      wire('article', { title: 'a' }, 1),
      wire('article', { title: '夕暮れ' }, 2),
    ]);
    // As in a larger buffer that also has other content.
    const bytes = new TextEncoder().encode(`before${body}after`);
    const items = await inMemory(segment, bytes.subarray(6, -5));
    vi.stubGlobal('Buffer', buffer);
    const found = ['夕暮れ', '"title":"a"', '夕日', 'before', 'after'].map((text) => items.includes(text));
    vi.unstubAllGlobals();
    expect(found).toEqual([true, true, false, false, false]);
  });

  test('columns are made once, and all that are missing in one pass', async () => {
    const segment = await segmentOf([wire('article', { title: 'a' }, 1), wire('article', { title: 'b' }, 2)]);
    const reads: string[] = [];
    const reader = (key: string) => ({
      key,
      read: (item: { _id: number; title?: unknown }) => {
        reads.push(`${key} ${item._id}`);
        return item[key as 'title'];
      },
    });
    expect(segment.columns([reader('title')])).toEqual([['a', 'b']]);
    expect(segment.columns([reader('_id'), reader('title')])).toEqual([
      [1, 2],
      ['a', 'b'],
    ]);
    expect(reads).toEqual(['title 1', 'title 2', '_id 1', '_id 2']);
  });
});
