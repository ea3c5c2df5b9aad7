import { hash } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { SegmentLines } from './segment-lines.ts';

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

/** As a storage returns it: not all of them have bytes. */
export type SegmentBody = string | Uint8Array;

/** About this many items per file: few files to open, and little to write again for one change. */
export const SEGMENT_SIZE = 250;

/** Between the items of a segment. JSON has no line breaks inside, so items are found without parsing them. */
const ITEM_SEPARATOR = ',\n';

export function sortKeyOf(item: WireContent): SortKey {
  const time = timeOf(item, '_created_at');
  return { time: Number.isFinite(time) ? time : 0, id: item._id };
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return a.time - b.time || a.id - b.id;
}

/** The segment of these items, each with its JSON. */
export function encode(
  items: readonly WireContent[],
  json: readonly string[] = items.map((item) => JSON.stringify(item)),
): { segment: Segment; body: string } {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) throw new RangeError('A segment contains at least one item');
  const body = joinJson(json);
  const segment = { hash: hashOf(body), count: items.length, first: sortKeyOf(first), last: sortKeyOf(last) };
  return { segment, body };
}

/** With brackets around the items that are joined, not around the result: that would copy it once more. */
function joinJson(json: readonly string[]): string {
  const parts = [...json];
  parts[0] = `[${parts[0]}`;
  parts[parts.length - 1] += ']';
  return parts.join(ITEM_SEPARATOR);
}

/** The items of a segment, or `undefined` if this is not what was written. */
export function decode(segment: Segment, body: SegmentBody | undefined): WireContent[] | undefined {
  if (!isIntact(segment, body)) return undefined;
  const items = JSON.parse(bodyText(body)) as WireContent[];
  return items.length === segment.count ? items : undefined;
}

/** The same for the items at some positions: the others are not parsed. */
export function decodeSome(
  segment: Segment,
  body: SegmentBody | undefined,
  positions: readonly number[],
): WireContent[] | undefined {
  if (!isIntact(segment, body)) return undefined;
  const lines = new SegmentLines(typeof body === 'string' ? Buffer.from(body) : body, segment.count);
  return positions.map((position) => JSON.parse(lines.json(position)) as WireContent);
}

function isIntact({ hash: written }: Segment, body: SegmentBody | undefined): body is SegmentBody {
  return body !== undefined && hashOf(body) === written;
}

export function bodyText(body: SegmentBody): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

export function hashOf(body: SegmentBody): string {
  return hash('sha256', body);
}
