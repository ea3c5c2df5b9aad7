import { hash } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { newestTime } from '../../contract/item-times.ts';
import { sortKeyOf } from './segments.ts';

/** What an item refers to. */
export interface ItemLinks {
  /** Content IDs, and the keys of media: see `mediaKey`. */
  readonly links: readonly number[];
  /** Whether one of its reference fields is empty. */
  readonly hasEmptyReference: boolean;
}

/**
 * What is known of the items of a segment without reading it, one number per item in each column. Tells which items an
 * edit concerns, and where they are.
 */
export interface ItemFacts {
  readonly ids: Float64Array;
  /** The times by which items are sorted. */
  readonly times: Float64Array;
  /** The latest times at which their data can have changed. */
  readonly newest: Float64Array;
  /** Equal for equal items. */
  readonly hashes: Float64Array;
  /** Where the links of each item end in `links`. */
  readonly linkEnds: Float64Array;
  readonly links: Float64Array;
  /** 1 for items with an empty reference field. */
  readonly empty: Float64Array;
}

/** The facts about these items, each with its JSON. */
export function createFacts(
  items: readonly WireContent[],
  json: readonly string[],
  linksOf: (item: WireContent) => ItemLinks,
): ItemFacts {
  const links: number[] = [];
  const facts = emptyFacts(items.length);
  for (const [index, item] of items.entries()) {
    const { links: own, hasEmptyReference } = linksOf(item);
    links.push(...own);
    facts.ids[index] = item._id;
    facts.times[index] = sortKeyOf(item).time;
    facts.newest[index] = newestTime(item);
    const hash = shortHash(json[index] as string);
    hashes.set(item, hash);
    facts.hashes[index] = hash;
    facts.linkEnds[index] = links.length;
    facts.empty[index] = Number(hasEmptyReference);
  }
  return { ...facts, links: Float64Array.from(links) };
}

function emptyFacts(count: number) {
  const column = () => new Float64Array(count);
  return {
    ids: column(),
    times: column(),
    newest: column(),
    hashes: column(),
    linkEnds: column(),
    empty: column(),
  };
}

/** 52 bits of a hash: a number that is exact. */
function shortHash(text: string): number {
  return Number.parseInt(hash('sha1', text).slice(0, 13), 16);
}

const hashes = new WeakMap<WireContent, number>();

/** Equal for equal items. Known of those whose facts were made. */
export function itemHash(item: WireContent): number {
  const known = hashes.get(item) ?? shortHash(JSON.stringify(item));
  hashes.set(item, known);
  return known;
}

/** The media of one item are often those of the next. */
const MAX_MEDIA_KEYS = 1000;
const mediaKeys = new Map<string, number>();

/** Stands for a media URL among content IDs, which are never negative. */
export function mediaKey(url: string): number {
  const known = mediaKeys.get(url);
  if (known !== undefined) return known;
  const key = -1 - shortHash(url);
  if (mediaKeys.size === MAX_MEDIA_KEYS) mediaKeys.clear();
  mediaKeys.set(url, key);
  return key;
}

/** The links of the item at a position. */
export function linksAt({ linkEnds, links }: ItemFacts, index: number): Float64Array {
  return links.subarray(index === 0 ? 0 : linkEnds[index - 1], linkEnds[index]);
}

const COLUMNS = ['ids', 'times', 'newest', 'hashes', 'linkEnds', 'empty'] as const;
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
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  if (bytes.length % 8 !== 0) return undefined;
  const numbers = new Float64Array(bytes.buffer);
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
    const [ids, times, newest, hashes, linkEnds, empty] = COLUMNS.map(() => take(count));
    all.push({ ids, times, newest, hashes, linkEnds, empty, links: take(links) } as ItemFacts);
  }
  return at === numbers.length ? all : undefined;
}
