import { describe, expect, test, vi } from 'vitest';
import { field } from '../../../src/index.ts';
import { SegmentItems } from '../../../src/replica/memory/segment-items.ts';
import { encode } from '../../../src/replica/store/segments.ts';
import { wire } from '../../models/content.ts';
import { factsOf } from '../item-facts.ts';

const models = {
  article: { title: field.text(), author: field.reference('author') },
  author: { name: field.text() },
};

function segmentOf(items: Parameters<typeof encode>[0]) {
  const { segment, body } = encode(items);
  return new SegmentItems('article', segment, new TextEncoder().encode(body));
}

const HOSTILE = ['a,\n{"_id":9}', '"', '\\', '[', ']', '\u2028', '夕暮れ', '😀', '{}', ',\\n', ''];

describe('the items of a segment', () => {
  test.each([1, 2, 3, 250])('%i items are found one by one, whatever they contain', (count) => {
    const items = Array.from({ length: count }, (_, n) =>
      wire('article', { title: HOSTILE[n % HOSTILE.length], author: null }, n + 1),
    );
    const segment = segmentOf(items);
    for (const [index, item] of items.entries()) expect(segment.get(index)).toEqual(item);
    expect([...segment.ids()]).toEqual(items.map(({ _id }) => _id));
  });

  test('each call parses an item again, so that pages cannot change what others see', () => {
    const segment = segmentOf([wire('article', { title: 'a' }, 1)]);
    segment.get(0).title = 'changed';
    expect(segment.get(0).title).toBe('a');
  });

  test('know what they refer to', () => {
    const segment = segmentOf([wire('article', { author: 7 }, 1), wire('article', { author: null }, 2)]);
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[7], []]);
  });

  test('refer to nothing by a value that is not an id, or that does not exist', () => {
    const segment = segmentOf([wire('article', { author: { name: 'embedded' } }, 1)]);
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[], []]);
  });

  test('have the ids and links of their facts, if these are set', () => {
    const items = [wire('article', { author: 7 }, 1), wire('article', { author: 7 }, 2)];
    const segment = segmentOf(items);
    segment.setFacts(factsOf(items, { 1: [8, 9], 2: [10] }));
    expect([[...segment.links(models, 0)], [...segment.links(models, 1)]]).toEqual([[8, 9], [10]]);
    expect([...segment.ids()]).toEqual([1, 2]);
  });

  test.each([
    ['with', Buffer],
    ['without', undefined],
  ])("are searched for a string, %s Node's buffers", (_, buffer) => {
    const { segment, body } = encode([
      wire('article', { title: 'a' }, 1),
      wire('article', { title: '夕暮れ' }, 2),
    ]);
    // As in a larger buffer that also has other content.
    const bytes = new TextEncoder().encode(`before${body}after`);
    const items = new SegmentItems('article', segment, bytes.subarray(6, -5));
    vi.stubGlobal('Buffer', buffer);
    const found = ['夕暮れ', '"title":"a"', '夕日', 'before', 'after'].map((text) => items.includes(text));
    vi.unstubAllGlobals();
    expect(found).toEqual([true, true, false, false, false]);
  });

  test('are searched for media, whatever characters their URLs have', () => {
    const cover = (url: string) => ({ url, alt: 'x' });
    const urls = ['/a.jpg', '/夕.jpg', '/"\\.jpg', '/A.jpg'];
    const segment = segmentOf([
      ...urls.map((url, index) => wire('article', { cover: cover(url) }, index + 1)),
      wire('article', { title: `"url":"/a.jpg"` }, 5),
      wire('article', { covers: [cover('/b.jpg'), cover('/a.jpg')] }, 6),
    ]);
    expect(segment.idsWithMedia(new Set(['/a.jpg']))).toEqual([1, 6]);
    expect(segment.idsWithMedia(new Set(['/夕.jpg', '/"\\.jpg']))).toEqual([2, 3]);
    expect(segment.idsWithMedia(new Set(['/a']))).toEqual([]);
  });

  test('columns are made once, and all that are missing in one pass', () => {
    const segment = segmentOf([wire('article', { title: 'a' }, 1), wire('article', { title: 'b' }, 2)]);
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
