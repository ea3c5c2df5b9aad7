import { hash } from 'node:crypto';
import type { WireContent } from '../../../contract/content.ts';
import type { ItemFacts } from './facts-format.ts';
import { sortKeyOf } from './segments.ts';

/** The facts about these items, each with its JSON. */
export function createFacts(
  items: readonly WireContent[],
  json: readonly string[],
  linksOf: (item: WireContent) => readonly number[],
): ItemFacts {
  const links: number[] = [];
  const facts = emptyFacts(items.length);
  for (const [index, item] of items.entries()) {
    links.push(...linksOf(item));
    facts.ids[index] = item._id;
    facts.times[index] = sortKeyOf(item).time;
    const hash = shortHash(json[index] as string);
    hashes.set(item, hash);
    facts.hashes[index] = hash;
    facts.linkEnds[index] = links.length;
  }
  return { ...facts, links: Float64Array.from(links) };
}

function emptyFacts(count: number) {
  const column = () => new Float64Array(count);
  return { ids: column(), times: column(), hashes: column(), linkEnds: column() };
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
