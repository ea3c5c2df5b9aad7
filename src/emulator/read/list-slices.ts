import type { Item } from '../state/item.ts';
import type { SortedList } from './sorted-lists.ts';

/** The items from one position to another. With a `shuffleSeed`, tied items are in random order. */
export function sliceItems(
  list: SortedList,
  from: number,
  to: number,
  shuffleSeed: number | undefined,
): Item[] {
  if (shuffleSeed === undefined || from >= list.items.length) return list.items.slice(from, to);
  const items: Item[] = [];
  for (let index = from; index < Math.min(to, list.items.length); ) {
    const ties = list.tieRange(index);
    const shuffled = shuffleItems(list.items.slice(ties.from, ties.to), shuffleSeed);
    items.push(...shuffled.slice(index - ties.from, to - ties.from));
    index = ties.to;
  }
  return items;
}

/** The item `step` positions after another; `undefined` beyond the ends, or if the other is not in the list. */
export function findNeighbour(
  list: SortedList,
  item: Item,
  step: number,
  shuffleSeed: number | undefined,
): Item | undefined {
  let index = list.indexOf(item);
  if (index < 0) return undefined;
  if (shuffleSeed !== undefined) {
    const { from, to } = list.tieRange(index);
    index = from + shuffleItems(list.items.slice(from, to), shuffleSeed).indexOf(item);
  }
  const at = index + step;
  return at < 0 ? undefined : sliceItems(list, at, at + 1, shuffleSeed)[0];
}

function shuffleItems(items: Item[], shuffleSeed: number): Item[] {
  if (items.length < 2) return items;
  const keyed = items.map((item) => ({ item, key: hashNumbers(item.id, shuffleSeed) }));
  return keyed.sort((a, b) => a.key - b.key || a.item.id - b.item.id).map(({ item }) => item);
}

/** A pseudo-random number that depends on both arguments. */
function hashNumbers(a: number, b: number): number {
  let mixed = (a ^ Math.imul(b + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
