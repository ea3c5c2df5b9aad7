import type { WireContent } from '../../contract/content.ts';
import { LuidError } from '../../errors.ts';
import {
  compareSortKeys,
  decode,
  encode,
  SEGMENT_SIZE,
  type Segment,
  type SortKey,
  sortKeyOf,
} from './segments.ts';

/** Reads the text of a segment. */
export type ReadSegment = (hash: string) => Promise<string | undefined>;

/** A segment that is missing or not what was written. */
export class DamagedSegment extends LuidError {
  declare readonly model: string;

  constructor(model: string) {
    super(`The cache of ${model} is damaged or incomplete`, { model });
  }
}

/**
 * The items of one model while a sync works on them: what was stored, and what is to change. Segments
 * are read only where something is looked up, and written again only where something changed.
 */
export class ModelTable {
  #segments: readonly Segment[];
  readonly #readSegment: ReadSegment;
  readonly #loaded = new Map<Segment, Map<number, WireContent>>();
  /** By id: the item as it is now, nothing if it was removed; and whether it is stored. */
  readonly #changes = new Map<number, { place: SortKey; item: WireContent | undefined; stored: boolean }>();
  readonly model: string;
  #count: number;

  constructor(model: string, segments: readonly Segment[], readSegment: ReadSegment) {
    this.model = model;
    this.#segments = segments;
    this.#readSegment = readSegment;
    this.#count = segments.reduce((sum, { count }) => sum + count, 0);
  }

  get count(): number {
    return this.#count;
  }

  /** What is known of an item, by where it stands. */
  async get(place: SortKey): Promise<WireContent | undefined> {
    const change = this.#changes.get(place.id);
    if (change) return change.item;
    const segment = this.#segments[this.#indexFor(place)];
    return segment && (await this.#items(segment)).get(place.id);
  }

  async put(item: WireContent): Promise<void> {
    await this.#change(item, item);
  }

  async remove(item: WireContent): Promise<void> {
    await this.#change(item, undefined);
  }

  async #change(at: WireContent, item: WireContent | undefined): Promise<void> {
    const place = sortKeyOf(at);
    const before = await this.get(place);
    this.#count += Number(item !== undefined) - Number(before !== undefined);
    const stored = this.#changes.get(place.id)?.stored ?? before !== undefined;
    this.#changes.set(place.id, { place, item, stored });
  }

  /** Forgets all and takes these instead. */
  replace(items: readonly WireContent[]): void {
    this.#segments = [];
    this.#loaded.clear();
    this.#changes.clear();
    this.#count = items.length;
    for (const item of items) this.#changes.set(item._id, { place: sortKeyOf(item), item, stored: false });
  }

  /** All items, in the order of their places. */
  async all(): Promise<WireContent[]> {
    return this.#within(this.#segments, () => true);
  }

  /** The items created from a time on and before another. */
  async between(from: number, to: number): Promise<WireContent[]> {
    const touched = this.#segments.filter(({ first, last }) => last.time >= from && first.time < to);
    return this.#within(touched, ({ time }) => time >= from && time < to);
  }

  /** How many those are, without reading the segments that lie inside whole. */
  async countBetween(from: number, to: number): Promise<number> {
    let count = 0;
    for (const segment of this.#segments) {
      const { first, last } = segment;
      if (last.time < from || first.time >= to) continue;
      if (first.time >= from && last.time < to) count += segment.count;
      else {
        for (const item of (await this.#items(segment)).values()) {
          const { time } = sortKeyOf(item);
          if (time >= from && time < to) count += 1;
        }
      }
    }
    for (const { place, item, stored } of this.#changes.values()) {
      if (place.time >= from && place.time < to) count += Number(item !== undefined) - Number(stored);
    }
    return count;
  }

  /** A whole second at which a stretch falls into two parts, if it can be cut. */
  async middle(from: number, to: number): Promise<number | undefined> {
    const cut = (time: number | undefined) => {
      const second = time === undefined ? from : Math.floor(time / 1000) * 1000;
      return second > from && second < to ? second : undefined;
    };
    // Where segments begin is known without reading any.
    const starts = this.#segments.map(({ first }) => first.time).filter((time) => cut(time) !== undefined);
    const atSegment = cut(starts[starts.length >> 1]);
    if (atSegment !== undefined) return atSegment;
    const items = await this.between(from, to);
    const half = items[items.length >> 1];
    return half && cut(sortKeyOf(half).time);
  }

  /** The segments of the table as it is now, and the bodies of those that are new. */
  async toSegments(): Promise<{ segments: Segment[]; written: Map<string, string> }> {
    const written = new Map<string, string>();
    const add = (items: readonly WireContent[]): Segment[] => {
      const parts = Math.max(1, Math.round(items.length / SEGMENT_SIZE));
      return Array.from({ length: parts }, (_, n) => {
        const part = items.slice(
          Math.floor((n * items.length) / parts),
          Math.floor(((n + 1) * items.length) / parts),
        );
        const { segment, body } = encode(part);
        written.set(segment.hash, body);
        return segment;
      });
    };
    if (this.#segments.length === 0) {
      const items = await this.all();
      return { segments: items.length > 0 ? add(items) : [], written };
    }
    const changed = new Set([...this.#changes.values()].map(({ place }) => this.#indexFor(place)));
    const segments: Segment[] = [];
    for (const [index, segment] of this.#segments.entries()) {
      if (!changed.has(index)) segments.push(segment);
      else {
        const items = await this.#within([segment], (place) => this.#indexFor(place) === index);
        if (items.length > 0) segments.push(...add(items));
      }
    }
    return { segments, written };
  }

  /** The segment that an item at this place is in, or would be put into. */
  #indexFor(place: SortKey): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (compareSortKeys((this.#segments[middle] as Segment).first, place) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #within(segments: readonly Segment[], holds: (place: SortKey) => boolean): Promise<WireContent[]> {
    const found: { place: SortKey; item: WireContent }[] = [];
    for (const segment of segments) {
      for (const item of (await this.#items(segment)).values()) {
        const place = sortKeyOf(item);
        if (!this.#changes.has(place.id) && holds(place)) found.push({ place, item });
      }
    }
    for (const { place, item } of this.#changes.values())
      if (item && holds(place)) found.push({ place, item });
    return found.sort((a, b) => compareSortKeys(a.place, b.place)).map(({ item }) => item);
  }

  async #items(segment: Segment): Promise<Map<number, WireContent>> {
    const known = this.#loaded.get(segment);
    if (known) return known;
    const items = decode(segment, await this.#readSegment(segment.hash));
    if (!items) throw new DamagedSegment(this.model);
    const byId = new Map(items.map((item) => [item._id, item]));
    this.#loaded.set(segment, byId);
    return byId;
  }
}
