import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';
import { type ItemFacts, linksAt } from '../store/facts-format.ts';
import { SegmentLines } from '../store/segment-lines.ts';

/** Reads a property of an item, or computes something from it. */
export interface ColumnReader {
  /** Equal for equal columns. */
  readonly key: string;
  readonly read: (item: WireContent) => unknown;
}

const decoder = new TextDecoder();
/** Within a string, the quotes would be escaped. */
const URL_PROPERTY = /"url":("(?:[^"\\]|\\.)*")/g;

/**
 * The items of a segment, kept as the bytes that were stored and parsed one by one when they are needed: a server with
 * 100,000 items needs little more memory than their JSON, and none of it is scanned by the garbage collector.
 */
export class SegmentItems {
  readonly model: string;
  readonly hash: string;
  readonly count: number;
  readonly #lines: SegmentLines;
  #facts: Pick<ItemFacts, 'ids' | 'links' | 'linkEnds'> | undefined;
  #ids: Float64Array | undefined;
  #links: readonly Iterable<number>[] | undefined;
  readonly #columns = new Map<string, readonly unknown[]>();

  constructor(model: string, { hash, count }: { hash: string; count: number }, bytes: Uint8Array) {
    this.model = model;
    this.hash = hash;
    this.count = count;
    this.#lines = new SegmentLines(bytes, count);
  }

  get bytes(): Uint8Array {
    return this.#lines.bytes;
  }

  /** Parses an item. */
  get(index: number): WireContent {
    return JSON.parse(this.json(index)) as WireContent;
  }

  json(index: number): string {
    return this.#lines.json(index);
  }

  /** Content IDs. */
  ids(): Float64Array {
    this.#ids ??=
      this.#facts?.ids ?? Float64Array.from({ length: this.count }, (_, index) => this.get(index)._id);
    return this.#ids;
  }

  /** The content that an item refers to. May contain the negative keys of media. */
  links(models: ModelMap, index: number): Iterable<number> {
    if (this.#facts) return linksAt(this.#facts, index);
    this.#links ??= Array.from({ length: this.count }, (_, at) => linksOf(models, this.get(at)));
    return this.#links[index] ?? [];
  }

  /** Sets what `ids` and `links` would have to parse all items for. */
  setFacts(facts: Pick<ItemFacts, 'ids' | 'links' | 'linkEnds'>): void {
    this.#facts = facts;
  }

  /** Whether the JSON of any item contains a string. */
  includes(text: string): boolean {
    const { buffer, byteOffset, byteLength } = this.bytes;
    // Where there are Node's buffers, nothing is decoded, which would take longer than the search.
    return typeof Buffer === 'undefined'
      ? decoder.decode(this.bytes).includes(text)
      : Buffer.from(buffer, byteOffset, byteLength).includes(text);
  }

  /** Content IDs of the items with media of these URLs. Searches the JSON, which is faster than parsing all items. */
  idsWithMedia(urls: ReadonlySet<string>): number[] {
    const hasMedia = (line: string) =>
      [...line.matchAll(URL_PROPERTY)].some(([, url]) => urls.has(JSON.parse(url as string)));
    const ids = this.ids();
    return decoder
      .decode(this.bytes)
      .split('\n')
      .flatMap((line, index) => (hasMedia(line) ? [ids[index] as number] : []));
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

function linksOf(models: ModelMap, item: WireContent): number[] {
  const links = new Set<number>();
  visitReferences(fieldsOf(models, item._model), item, ({ value }) => {
    if (typeof value === 'number') links.add(value);
  });
  return [...links];
}
