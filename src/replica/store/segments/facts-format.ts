import { fromBase64 } from './base64.ts';

/**
 * What is known of the items of a segment without reading it, one number per item in each column. Tells which items an
 * edit concerns, and where they are.
 */
export interface ItemFacts {
  readonly ids: Float64Array;
  /** The times by which items are sorted. */
  readonly times: Float64Array;
  /** Equal for equal items. */
  readonly hashes: Float64Array;
  /** Where the links of each item end in `links`. */
  readonly linkEnds: Float64Array;
  readonly links: Float64Array;
}

/** Facts about the items of stored segments, by the hash of the segment. */
export type FactsBySegment = ReadonlyMap<string, ItemFacts>;

/** The links of the item at a position. */
export function linksAt(
  { linkEnds, links }: Pick<ItemFacts, 'linkEnds' | 'links'>,
  index: number,
): Float64Array {
  return links.subarray(index === 0 ? 0 : linkEnds[index - 1], linkEnds[index]);
}

const COLUMNS = ['ids', 'times', 'hashes', 'linkEnds'] as const;
/** Read as another number on a machine with another byte order. */
const MAGIC = 1794787200;

/** The facts of consecutive segments as text. */
export function encodeFacts(all: readonly ItemFacts[]): string {
  const size = all.reduce((sum, { ids, links }) => sum + 2 + COLUMNS.length * ids.length + links.length, 1);
  const numbers = new Float64Array(size);
  numbers[0] = MAGIC;
  let at = 1;
  const add = (values: ArrayLike<number>) => {
    numbers.set(values, at);
    at += values.length;
  };
  for (const facts of all) {
    add([facts.ids.length, facts.links.length]);
    for (const column of COLUMNS) add(facts[column]);
    add(facts.links);
  }
  return Buffer.from(numbers.buffer).toString('base64');
}

/** The facts of segments with these counts, or `undefined` if the text is not of them. */
export function decodeFacts(text: string, counts: readonly number[]): ItemFacts[] | undefined {
  const { buffer, byteOffset, length: size } = fromBase64(text);
  if (size % 8 !== 0) return undefined;
  const numbers = new Float64Array(buffer, byteOffset, size / 8);
  if (numbers[0] !== MAGIC) return undefined;
  let at = 1;
  const take = (length: number) => {
    at += length;
    return numbers.subarray(at - length, at);
  };
  const all: ItemFacts[] = [];
  for (const count of counts) {
    const [stored, links] = take(2);
    if (stored !== count || links === undefined) return undefined;
    const [ids, times, hashes, linkEnds] = COLUMNS.map(() => take(count));
    all.push({ ids, times, hashes, linkEnds, links: take(links) } as ItemFacts);
  }
  return at === numbers.length ? all : undefined;
}
