import { hash } from 'node:crypto';
import type { WireContent } from '../../../contract/content.ts';
import { timeOf } from '../../../contract/item-times.ts';
import { joinItems } from './join-items.ts';

/** Orders the items of a model. Neither part ever changes, so items never move. */
export interface SortKey {
  readonly time: number;
  readonly id: number;
}

/** Consecutive items of a model in one immutable file named by its hash. */
export interface Segment {
  readonly hash: string;
  readonly count: number;
  readonly first: SortKey;
  readonly last: SortKey;
}

/** As a storage returns it: not every storage has bytes. */
export type SegmentBody = string | Uint8Array;

/** About this many items per file: few files to open, and little to write again for one change. */
export const SEGMENT_SIZE = 250;

export function sortKeyOf(item: WireContent): SortKey {
  const time = timeOf(item, '_created_at');
  return { time: Number.isFinite(time) ? time : 0, id: item._id };
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return a.time - b.time || a.id - b.id;
}

/** The segment of these items, each with its JSON. `protect` returns the body as it is stored. */
export function encode(
  items: readonly WireContent[],
  json: readonly string[] = items.map((item) => JSON.stringify(item)),
  protect: (body: string, items: readonly WireContent[]) => string = (body) => body,
): { segment: Segment; body: string } {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) throw new RangeError('A segment contains at least one item');
  const body = protect(joinItems(json), items);
  const segment = { hash: hashOf(body), count: items.length, first: sortKeyOf(first), last: sortKeyOf(last) };
  return { segment, body };
}

/** The items of a segment, or `undefined` without a body. */
export function decode(segment: Segment, body: SegmentBody | undefined): WireContent[] | undefined {
  if (body === undefined) return undefined;
  const items = JSON.parse(bodyText(body)) as WireContent[];
  return items.length === segment.count ? items : undefined;
}

function bodyText(body: SegmentBody): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

export function hashOf(body: SegmentBody): string {
  return hash('sha256', body);
}
