import type { WireContent } from '../../contract/content.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidError } from '../../shared/errors.ts';
import { linksOf } from '../item-links.ts';
import { type ItemFacts, linksAt } from '../store/segments/facts-format.ts';
import { SegmentLines } from '../store/segments/segment-lines.ts';
import type { Segment, SegmentBody } from '../store/segments/segments.ts';

/** Reads the body of a segment; `undefined` if it is missing or not what was written. */
export type ReadSegment = (hash: string) => Promise<SegmentBody | undefined>;

/** Reads a property of an item, or computes something from it. */
export interface ColumnReader {
  /** Equal for equal columns. */
  readonly key: string;
  readonly read: (item: WireContent) => unknown;
}

/** A segment that is missing or not what was written. */
export class DamagedSegment extends LuidError {
  declare readonly model: string;

  constructor(model: string) {
    super(`The cache of ${model} is damaged or incomplete`, { model });
  }
}

/** What `SegmentItems` needs of the facts about its items. */
export type SegmentFacts = Pick<ItemFacts, 'ids' | 'links' | 'linkEnds'>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The items of a segment. They are read when they are first needed, and then kept as the bytes that were stored: a server
 * with 100,000 items needs little more memory than their JSON, and none of it is scanned by the garbage collector. What
 * a sync has just read is kept as it is.
 */
export class SegmentItems {
  readonly model: string;
  readonly segment: Segment;
  readonly #read: ReadSegment;
  #items: readonly WireContent[] | undefined;
  #lines: SegmentLines | undefined;
  #facts: SegmentFacts | undefined;
  #ids: Float64Array | undefined;
  #links: readonly Iterable<number>[] | undefined;
  readonly #columns = new Map<string, readonly unknown[]>();

  constructor(model: string, segment: Segment, read: ReadSegment, items?: readonly WireContent[]) {
    this.model = model;
    this.segment = segment;
    this.#read = read;
    this.#items = items;
  }

  get hash(): string {
    return this.segment.hash;
  }

  get count(): number {
    return this.segment.count;
  }

  get isRead(): boolean {
    return this.#items !== undefined || this.#lines !== undefined;
  }

  /** Whether `get` returns the same object each time. */
  get isParsed(): boolean {
    return this.#items !== undefined;
  }

  get hasFacts(): boolean {
    return this.#facts !== undefined;
  }

  /** Reads the items, unless they are in memory. */
  async read(): Promise<void> {
    if (this.isRead) return;
    const body = await this.#read(this.hash);
    if (body === undefined) throw new DamagedSegment(this.model);
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    this.#lines ??= new SegmentLines(bytes, this.count);
  }

  /** All items as objects, which are parsed at once and kept. */
  async parseAll(): Promise<readonly WireContent[]> {
    await this.read();
    this.#items ??= JSON.parse(decoder.decode(this.#lines?.bytes)) as WireContent[];
    if (this.#items.length !== this.count) throw new DamagedSegment(this.model);
    return this.#items;
  }

  /** An item. Parses it each time, unless all of them were parsed. */
  get(index: number): WireContent {
    return this.#items?.[index] ?? (JSON.parse(this.json(index)) as WireContent);
  }

  json(index: number): string {
    return this.#lines ? this.#lines.json(index) : JSON.stringify(this.#items?.[index]);
  }

  /** Content IDs. Without facts, the items have to be read before. */
  ids(): Float64Array {
    this.#ids ??=
      this.#facts?.ids ?? Float64Array.from({ length: this.count }, (_, index) => this.get(index)._id);
    return this.#ids;
  }

  /** What an item refers to. */
  links(models: ModelMap, index: number): Iterable<number> {
    if (this.#facts) return linksAt(this.#facts, index);
    this.#links ??= Array.from({ length: this.count }, (_, at) => linksOf(models, this.get(at)));
    return this.#links[index] ?? [];
  }

  /** Sets what `ids` and `links` would have to parse all items for. */
  setFacts(facts: SegmentFacts): void {
    this.#facts = facts;
  }

  /** Whether the JSON of any item contains a string. */
  includes(text: string): boolean {
    const bytes = this.#lines?.bytes ?? encoder.encode(JSON.stringify(this.#items));
    // Where there are Node's buffers, nothing is decoded, which would take longer than the search.
    return typeof Buffer === 'undefined'
      ? decoder.decode(bytes).includes(text)
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
  }

  /**
   * The values of a property of all items. Kept, so that filtering and sorting do not parse the items each time: all
   * that are missing are made in one pass.
   */
  columns(readers: readonly ColumnReader[]): readonly (readonly unknown[])[] {
    const missing = readers.filter(({ key }) => !this.#columns.has(key));
    if (missing.length > 0) {
      const made = missing.map(() => new Array<unknown>(this.count));
      for (let index = 0; index < this.count; index++) {
        const item = this.get(index);
        for (const [at, { read }] of missing.entries()) (made[at] as unknown[])[index] = read(item);
      }
      for (const [at, { key }] of missing.entries()) this.#columns.set(key, made[at] as unknown[]);
    }
    return readers.map(({ key }) => this.#columns.get(key) as readonly unknown[]);
  }
}
