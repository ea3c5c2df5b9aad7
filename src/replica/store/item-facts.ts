import { hash } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { newestTime } from '../../contract/item-times.ts';
import type { ItemFacts } from './facts-format.ts';
import { sortKeyOf } from './segments.ts';

/** What an item refers to. */
export interface ItemLinks {
  /** Content IDs, and the keys of media: see `mediaKey`. */
  readonly links: readonly number[];
  /** Whether one of its reference fields is empty. */
  readonly hasEmptyReference: boolean;
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
