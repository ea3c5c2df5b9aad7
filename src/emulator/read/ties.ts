import type { Item } from '../state/item.ts';
import type { SortedList } from './lists.ts';

/** The items from one position to another; equal ones in the order of `shuffle`, if it is given. */
export function itemsAt(list: SortedList, from: number, to: number, shuffle: number | undefined): Item[] {
  if (shuffle === undefined || from >= list.items.length) return list.items.slice(from, to);
  const items: Item[] = [];
  for (let index = from; index < Math.min(to, list.items.length); ) {
    const tied = list.tiedAround(index);
    const shuffled = shuffleItems(list.items.slice(tied.from, tied.to), shuffle);
    items.push(...shuffled.slice(index - tied.from, to - tied.from));
    index = tied.to;
  }
  return items;
}

/** The item some steps before or after another; `undefined` past the ends, or if that one is not in the list. */
export function neighbourOf(
  list: SortedList,
  item: Item,
  step: number,
  shuffle: number | undefined,
): Item | undefined {
  let index = list.indexOf(item);
  if (index < 0) return undefined;
  if (shuffle !== undefined) {
    const { from, to } = list.tiedAround(index);
    index = from + shuffleItems(list.items.slice(from, to), shuffle).indexOf(item);
  }
  const at = index + step;
  return at < 0 ? undefined : itemsAt(list, at, at + 1, shuffle)[0];
}

function shuffleItems(items: Item[], shuffle: number): Item[] {
  if (items.length < 2) return items;
  const keyed = items.map((item) => ({ item, key: scramble(item.id, shuffle) }));
  return keyed.sort((a, b) => a.key - b.key || a.item.id - b.item.id).map(({ item }) => item);
}

/** A number that looks random, the same for the same two. */
function scramble(a: number, b: number): number {
  let mixed = (a ^ Math.imul(b + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
