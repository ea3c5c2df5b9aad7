import pLimit from 'p-limit';
import type { WireContent } from '../../contract/content.ts';
import { LuidError } from '../../errors.ts';
import { cutPoints, type ItemsByTime } from './cut-points.ts';
import type { ItemFacts } from './facts-format.ts';
import { createFacts, type ItemLinks, itemHash } from './item-facts.ts';
import { type EncodedSegment, encodeSegment, SegmentDrafts } from './segment-drafts.ts';
import type { SegmentSink } from './segment-writer.ts';
import {
  compareSortKeys,
  decode,
  decodeSome,
  SEGMENT_SIZE,
  type Segment,
  type SegmentBody,
  type SortKey,
  sortKeyOf,
} from './segments.ts';

/** Reads the body of a segment. */
export type ReadSegment = (hash: string) => Promise<SegmentBody | undefined>;

/** So many segments are in memory at once when single items are read from them. */
const CONCURRENT_READS = 4;

export interface FactsOptions {
  /** Facts about the items of stored segments, by the hash of the segment. What is missing is made from the segment. */
  readonly stored: () => Promise<ReadonlyMap<string, ItemFacts>>;
  readonly linksOf: (item: WireContent) => ItemLinks;
}

/** A segment that is missing or not what was written. */
export class DamagedSegment extends LuidError {
  declare readonly model: string;

  constructor(model: string) {
    super(`The cache of ${model} is damaged or incomplete`, { model });
  }
}

/**
 * The items of one model during a sync: stored segments, and changes to them. Segments are read only if something is
 * looked up in them, and written again only if something in them changed.
 */
export class ModelTable {
  #segments: readonly Segment[];
  readonly #readSegment: ReadSegment;
  readonly #factsOptions: FactsOptions;
  readonly #loaded = new Map<Segment, Map<number, WireContent>>();
  readonly #times = new WeakMap<Segment, readonly number[]>();
  readonly #facts = new Map<Segment, ItemFacts>();
  /** By id: the item as it is now, nothing if it was removed; and whether it is stored. */
  readonly #changes = new Map<number, { key: SortKey; item: WireContent | undefined; stored: boolean }>();
  readonly #drafts: SegmentDrafts;
  readonly model: string;
  #count: number;

  constructor(
    model: string,
    segments: readonly Segment[],
    readSegment: ReadSegment,
    factsOptions: FactsOptions,
  ) {
    this.model = model;
    this.#segments = segments;
    this.#readSegment = readSegment;
    this.#factsOptions = factsOptions;
    this.#drafts = new SegmentDrafts(factsOptions.linksOf);
    this.#count = segments.reduce((sum, { count }) => sum + count, 0);
  }

  get count(): number {
    return this.#count;
  }

  /** The item with this key, if there is one. */
  async get(key: SortKey): Promise<WireContent | undefined> {
    const change = this.#changes.get(key.id);
    if (change) return change.item;
    const segment = this.#segments[this.#indexFor(key)];
    return segment && (await this.#items(segment)).get(key.id);
  }

  /** Those of the items with these keys that exist. Of segments that were not read yet, no others are parsed. */
  async getSome(keys: Iterable<SortKey>): Promise<WireContent[]> {
    const bySegment = Map.groupBy(keys, (key) => this.#segments[this.#indexFor(key)]);
    const read = pLimit(CONCURRENT_READS);
    const found = await Promise.all(
      [...bySegment].map(([segment, some]) => read(() => this.#getFrom(segment, some))),
    );
    return found.flat();
  }

  async #getFrom(segment: Segment | undefined, keys: readonly SortKey[]): Promise<WireContent[]> {
    const isAsStored = segment && !this.#loaded.has(segment) && !keys.some(({ id }) => this.#changes.has(id));
    const facts = isAsStored ? (await this.#factsOptions.stored()).get(segment.hash) : undefined;
    if (!isAsStored || !facts) {
      const found: WireContent[] = [];
      for (const key of keys) {
        const item = await this.get(key);
        if (item) found.push(item);
      }
      return found;
    }
    const positions = keys.map(({ id }) => facts.ids.indexOf(id)).filter((position) => position !== -1);
    const items = decodeSome(segment, await this.#readSegment(segment.hash), positions);
    if (!items) throw new DamagedSegment(this.model);
    return items;
  }

  /** Whether an item is certainly stored as it is. Reads no segment. */
  async isUnchanged(item: WireContent): Promise<boolean> {
    const key = sortKeyOf(item);
    const segment = this.#segments[this.#indexFor(key)];
    if (!segment || this.#changes.has(key.id)) return false;
    const facts = (await this.#factsOptions.stored()).get(segment.hash);
    const index = facts?.ids.indexOf(key.id) ?? -1;
    return index !== -1 && facts?.hashes[index] === itemHash(item);
  }

  async put(item: WireContent): Promise<void> {
    await this.#change(item, item);
  }

  async remove(item: WireContent): Promise<void> {
    await this.#change(item, undefined);
  }

  async #change(at: WireContent, item: WireContent | undefined): Promise<void> {
    const key = sortKeyOf(at);
    const before = await this.get(key);
    this.#count += Number(item !== undefined) - Number(before !== undefined);
    const stored = this.#changes.get(key.id)?.stored ?? before !== undefined;
    this.#changes.set(key.id, { key, item, stored });
  }

  /** Replaces all items. */
  replace(items: readonly WireContent[]): void {
    this.#segments = [];
    this.#loaded.clear();
    this.#facts.clear();
    this.#changes.clear();
    this.#count = items.length;
    for (const item of items) this.#changes.set(item._id, { key: sortKeyOf(item), item, stored: false });
  }

  /** Encodes items in advance that are likely to be stored: they follow on those of the last call. */
  draft(items: readonly WireContent[]): void {
    this.#drafts.add(items);
  }

  /** All items, in order. */
  async all(): Promise<WireContent[]> {
    if (this.#changes.size === 0) {
      const stored: WireContent[] = [];
      for (const segment of this.#segments)
        for (const item of (await this.#items(segment)).values()) stored.push(item);
      return stored;
    }
    return this.#within(this.#segments, () => true);
  }

  /** The items created from a time on and before another. */
  async between(from: number, to: number): Promise<WireContent[]> {
    const touched = this.#segments.filter(({ first, last }) => last.time >= from && first.time < to);
    return this.#within(touched, ({ time }) => time >= from && time < to);
  }

  /** How many those are, without reading segments that are entirely in the range. */
  async countBetween(from: number, to: number): Promise<number> {
    let count = 0;
    for (const segment of this.#segments) {
      const { first, last } = segment;
      if (last.time < from || first.time >= to) continue;
      if (first.time >= from && last.time < to) count += segment.count;
      else {
        for (const time of await this.#timesIn(segment)) if (time >= from && time < to) count += 1;
      }
    }
    for (const { key, item, stored } of this.#changes.values()) {
      if (key.time >= from && key.time < to) count += Number(item !== undefined) - Number(stored);
    }
    return count;
  }

  /** Whole seconds that cut a range into so many parts of about equal size: fewer if it is of few seconds. */
  async cuts(from: number, to: number, parts: number): Promise<number[]> {
    const isInRange = (time: number) => time >= from && time < to;
    const listOf = (times: readonly number[]): ItemsByTime => ({
      first: times[0] ?? to,
      count: times.length,
      times: async () => times,
    });
    const touched = this.#segments.filter(({ first, last }) => last.time >= from && first.time < to);
    if (touched.length === 0) {
      const items = await this.between(from, to);
      return cutPoints([listOf(items.map((item) => sortKeyOf(item).time))], { from, to }, parts);
    }
    // What changed since is left out: the parts need not be exactly equal.
    const lists = touched.map(async (segment): Promise<ItemsByTime> => {
      const { first, last, count } = segment;
      const isInside = isInRange(first.time) && isInRange(last.time);
      if (isInside) return { first: first.time, count, times: () => this.#timesIn(segment) };
      return listOf((await this.#timesIn(segment)).filter(isInRange));
    });
    return cutPoints(await Promise.all(lists), { from, to }, parts);
  }

  /** The segments of the table as it is now. The bodies of new ones go to `sink`. Changes become part of them. */
  async toSegments<Sink extends SegmentSink = Map<string, string>>(
    sink: Sink = new Map() as SegmentSink as Sink,
  ): Promise<{ segments: readonly Segment[]; written: Sink }> {
    const segments: Segment[] = [];
    const put = async ({ items, segment, body, facts }: EncodedSegment) => {
      this.#facts.set(segment, facts);
      this.#loaded.set(segment, new Map(items.map((item) => [item._id, item])));
      segments.push(segment);
      await sink.set(segment.hash, body);
    };
    const add = async (items: readonly WireContent[]) => {
      const parts = Math.max(1, Math.round(items.length / SEGMENT_SIZE));
      for (let n = 0; n < parts; n++) {
        const part = items.slice(
          Math.floor((n * items.length) / parts),
          Math.floor(((n + 1) * items.length) / parts),
        );
        await put(encodeSegment(part, this.#factsOptions.linksOf));
      }
    };
    if (this.#segments.length === 0) {
      const items = await this.all();
      let added = 0;
      for (let at = 0; at < items.length; at++) {
        const draft = this.#drafts.take(items, at);
        if (!draft) continue;
        if (at > added) await add(items.slice(added, at));
        await put(draft);
        added = at + draft.items.length;
        at = added - 1;
      }
      if (added < items.length) await add(items.slice(added));
    } else {
      const changed = new Set([...this.#changes.values()].map(({ key }) => this.#indexFor(key)));
      for (const [index, segment] of this.#segments.entries()) {
        if (!changed.has(index)) segments.push(segment);
        else {
          const items = await this.#within([segment], (key) => this.#indexFor(key) === index);
          if (items.length > 0) await add(items);
        }
      }
    }
    this.#segments = segments;
    this.#changes.clear();
    this.#drafts.clear();
    return { segments, written: sink };
  }

  /** The facts about all items, one per segment. Nothing may have changed since `toSegments`. */
  async facts(): Promise<ItemFacts[]> {
    const stored = await this.#factsOptions.stored();
    const all: ItemFacts[] = [];
    for (const segment of this.#segments) {
      const facts = this.#facts.get(segment) ?? stored.get(segment.hash) ?? (await this.#makeFacts(segment));
      this.#facts.set(segment, facts);
      all.push(facts);
    }
    return all;
  }

  async #makeFacts(segment: Segment): Promise<ItemFacts> {
    const items = [...(await this.#items(segment)).values()];
    const json = items.map((item) => JSON.stringify(item));
    return createFacts(items, json, this.#factsOptions.linksOf);
  }

  /** The segment that an item with this key is in, or would be put into. */
  #indexFor(key: SortKey): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (compareSortKeys((this.#segments[middle] as Segment).first, key) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #within(segments: readonly Segment[], matches: (key: SortKey) => boolean): Promise<WireContent[]> {
    const found: { key: SortKey; item: WireContent }[] = [];
    for (const segment of segments) {
      for (const item of (await this.#items(segment)).values()) {
        const key = sortKeyOf(item);
        if (!this.#changes.has(key.id) && matches(key)) found.push({ key, item });
      }
    }
    for (const { key, item } of this.#changes.values()) if (item && matches(key)) found.push({ key, item });
    return found.sort((a, b) => compareSortKeys(a.key, b.key)).map(({ item }) => item);
  }

  /** When the items of a segment were created, ascending. Once, since ranges are counted over and over. */
  async #timesIn(segment: Segment): Promise<readonly number[]> {
    const known = this.#times.get(segment);
    if (known) return known;
    const facts = (await this.#factsOptions.stored()).get(segment.hash);
    const unsorted = facts
      ? [...facts.times]
      : [...(await this.#items(segment)).values()].map((item) => sortKeyOf(item).time);
    const times = unsorted.sort((a, b) => a - b);
    this.#times.set(segment, times);
    return times;
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
