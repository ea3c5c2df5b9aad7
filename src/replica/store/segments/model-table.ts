import type { WireContent } from '../../../contract/content.ts';
import { DamagedSegment, type ReadSegment, SegmentItems } from '../../content/segment-items.ts';
import type { ItemFacts } from './facts-format.ts';
import { createFacts, itemHash } from './item-facts.ts';
import type { SegmentSink } from './segment-writer.ts';
import {
  compareSortKeys,
  decode,
  encode,
  SEGMENT_SIZE,
  type Segment,
  type SortKey,
  sortKeyOf,
} from './segments.ts';

export interface TableOptions {
  readonly linksOf: (item: WireContent) => readonly number[];
  /** Returns the body of a segment as it is stored: encrypted if others must not read one of its items. */
  readonly protect?: ((body: string, items: readonly WireContent[]) => string) | undefined;
  /** Facts about the items of stored segments, by the hash of the segment. What is missing is made from the segment. */
  readonly stored: () => Promise<ReadonlyMap<string, ItemFacts>>;
}

/**
 * The items of one model during a sync: stored segments, and changes to them. Segments are read only if something is
 * looked up in them, and written again only if something in them changed.
 */
export class ModelTable {
  #segments: readonly Segment[];
  readonly #readSegment: ReadSegment;
  readonly #options: TableOptions;
  readonly #loaded = new Map<Segment, Map<number, WireContent>>();
  readonly #facts = new Map<Segment, ItemFacts>();
  /** By id: the item as it is now, nothing if it was removed. */
  readonly #changes = new Map<number, { key: SortKey; item: WireContent | undefined }>();
  readonly model: string;
  #count: number;

  constructor(model: string, segments: readonly Segment[], readSegment: ReadSegment, options: TableOptions) {
    this.model = model;
    this.#segments = segments;
    this.#readSegment = readSegment;
    this.#options = options;
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

  /** The item with an id, if there is one. Segments are read only without facts about them. */
  async find(id: number): Promise<WireContent | undefined> {
    const change = this.#changes.get(id);
    if (change) return change.item;
    const stored = await this.#options.stored();
    for (const segment of this.#segments) {
      const facts = stored.get(segment.hash);
      const item = facts?.ids.includes(id) === false ? undefined : (await this.#items(segment)).get(id);
      if (item) return item;
    }
    return undefined;
  }

  /** Whether an item is certainly stored as it is. Reads no segment. */
  async isUnchanged(item: WireContent): Promise<boolean> {
    const key = sortKeyOf(item);
    const segment = this.#segments[this.#indexFor(key)];
    if (!segment || this.#changes.has(key.id)) return false;
    const facts = (await this.#options.stored()).get(segment.hash);
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
    this.#changes.set(key.id, { key, item });
  }

  /** Replaces all items. */
  replace(items: readonly WireContent[]): void {
    this.#segments = [];
    this.#loaded.clear();
    this.#facts.clear();
    this.#changes.clear();
    this.#count = items.length;
    for (const item of items) this.#changes.set(item._id, { key: sortKeyOf(item), item });
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

  /** When each item was created. Segments are read only without facts about them. */
  async creationTimes(): Promise<number[]> {
    const times: number[] = [];
    const facts = await this.#options.stored();
    for (const segment of this.#segments) {
      const known = facts.get(segment.hash) ?? (await this.#makeFacts(segment));
      for (const [index, id] of known.ids.entries())
        if (!this.#changes.has(id)) times.push(known.times[index] as number);
    }
    for (const { key, item } of this.#changes.values()) if (item) times.push(key.time);
    return times;
  }

  /** The segments of the table as it is now. The bodies of new ones go to `sink`. Changes become part of them. */
  async toSegments(sink: SegmentSink): Promise<readonly Segment[]> {
    const { linksOf, protect } = this.#options;
    const segments: Segment[] = [];
    const add = async (items: readonly WireContent[]) => {
      const parts = Math.max(1, Math.round(items.length / SEGMENT_SIZE));
      for (let n = 0; n < parts; n++) {
        const part = items.slice(
          Math.floor((n * items.length) / parts),
          Math.floor(((n + 1) * items.length) / parts),
        );
        const json = part.map((item) => JSON.stringify(item));
        const { segment, body } = encode(part, json, protect);
        this.#facts.set(segment, createFacts(part, json, linksOf));
        this.#loaded.set(segment, new Map(part.map((item) => [item._id, item])));
        segments.push(segment);
        await sink.set(segment.hash, body);
      }
    };
    if (this.#segments.length === 0) {
      const items = await this.all();
      if (items.length > 0) await add(items);
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
    return segments;
  }

  /** The facts about all items, one per segment. Nothing may have changed since `toSegments`. */
  async facts(): Promise<ItemFacts[]> {
    const stored = await this.#options.stored();
    const all: ItemFacts[] = [];
    for (const segment of this.#segments) {
      const facts = this.#facts.get(segment) ?? stored.get(segment.hash) ?? (await this.#makeFacts(segment));
      this.#facts.set(segment, facts);
      all.push(facts);
    }
    return all;
  }

  /** Its segments, with the items of those that are in memory if these are to be kept. Call it after `toSegments`. */
  toItems(keepsItems: boolean): SegmentItems[] {
    return this.#segments.map((segment) => {
      const loaded = keepsItems ? this.#loaded.get(segment) : undefined;
      const items = new SegmentItems(this.model, segment, this.#readSegment, loaded && [...loaded.values()]);
      const facts = this.#facts.get(segment);
      if (facts) items.setFacts(facts);
      return items;
    });
  }

  async #makeFacts(segment: Segment): Promise<ItemFacts> {
    const items = [...(await this.#items(segment)).values()];
    const json = items.map((item) => JSON.stringify(item));
    return createFacts(items, json, this.#options.linksOf);
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
