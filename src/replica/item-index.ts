import { type ItemFacts, linksAt } from './store/facts-format.ts';
import type { SortKey } from './store/segments.ts';

/** Where an item is, and what it refers to. */
export interface KnownItem {
  readonly model: string;
  readonly key: SortKey;
  /** Content IDs, and keys of media. */
  readonly links: Iterable<number>;
}

/** Finds items of a replica by what refers to them, without reading them. */
export interface ItemIndex {
  get(id: number): KnownItem | undefined;
  /** All items that refer to any of these, or show media with any of these keys. */
  referrersOf(targets: ReadonlySet<number>): Set<number>;
}

/** The facts about the items of a model, one per segment. */
export interface ModelFacts {
  readonly model: string;
  readonly facts: readonly ItemFacts[];
}

interface Part {
  readonly model: string;
  readonly facts: ItemFacts;
  readonly least: number;
  readonly greatest: number;
}

/** Nothing is sorted or copied: a few lookups are faster than preparing for many. */
export function createItemIndex(models: readonly ModelFacts[]): ItemIndex {
  const parts: Part[] = models.flatMap(({ model, facts: all }) =>
    all.map((facts) => ({ model, facts, ...rangeOf(facts.ids) })),
  );
  return {
    get(id) {
      for (const { model, facts, least, greatest } of parts) {
        if (id < least || id > greatest) continue;
        const index = facts.ids.indexOf(id);
        if (index !== -1)
          return { model, key: { time: facts.times[index] as number, id }, links: linksAt(facts, index) };
      }
      return undefined;
    },
    referrersOf(targets) {
      const found = new Set<number>();
      for (const { facts } of parts) {
        const { ids, links, linkEnds } = facts;
        for (let link = 0; link < links.length; link++) {
          if (targets.has(links[link] as number)) found.add(ids[ownerOf(linkEnds, link)] as number);
        }
      }
      return found;
    },
  };
}

function rangeOf(ids: Float64Array): Pick<Part, 'least' | 'greatest'> {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const id of ids) {
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return { least, greatest };
}

/** The item whose links include this one: the first whose links end after it. */
function ownerOf(linkEnds: Float64Array, link: number): number {
  let low = 0;
  let high = linkEnds.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((linkEnds[middle] as number) > link) high = middle;
    else low = middle + 1;
  }
  return low;
}
