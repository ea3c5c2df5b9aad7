import type { Block, Shape } from './shapes.ts';
import { shapeOf } from './shapes.ts';

/** A field that filters can address (§4.1): of a model, or one level inside a field set or a repeat. */
export interface Address {
  readonly model: string;
  /** `title`, or `seo.description`. */
  readonly path: string;
  /** In a repeat only `eq` is supported. */
  readonly inRepeat: boolean;
}

/** All observations of one field. A place is an item and a path in it, the same for all languages. */
export class Observations {
  readonly places = new Set<string>();
  readonly filled = new Set<string>();
  /** The places of each shape of value. */
  readonly shapes = new Map<Shape, Set<string>>();
  /** Forms of empty values: `null`, `""`, `[]`. */
  readonly empties = new Set<string>();
  /** The places of each string, including strings in lists. */
  readonly texts = new Map<string, Set<string>>();
  readonly ids = new Set<number>();
  readonly urls = new Set<string>();
  readonly sets = new Set<string>();
  /** The keys of blocks, by their LUID. */
  readonly blockKeys = new Map<string, Set<string>>();
  blocks = 0;
  /** Observations of the fields inside a repeat. */
  readonly entries: Group = new Map();
  /** How a filter can address it, if at all. */
  address: Address | undefined;
}

/** Observations by field LUID, in the order of the service. */
export type Group = Map<string, Observations>;

/** §1: a field-set LUID is unique in a space, so all its uses are observations of the same fields. */
export type Sets = Map<string, Group>;

/** Records the values of a group of fields, and of all nested groups. */
export function recordFields(
  group: Group,
  values: Readonly<Record<string, unknown>>,
  place: string,
  sets: Sets,
  address: (luid: string) => Address | undefined,
  skip?: ReadonlySet<string>,
): void {
  for (const [luid, value] of Object.entries(values)) {
    if (skip?.has(luid)) continue;
    const seen = group.get(luid) ?? new Observations();
    group.set(luid, seen);
    seen.address ??= address(luid);
    recordValue(seen, luid, value, `${place}/${luid}`, sets);
  }
}

function recordValue(seen: Observations, luid: string, value: unknown, place: string, sets: Sets): void {
  const shape = shapeOf(value);
  seen.places.add(place);
  if (!shape) {
    seen.empties.add(JSON.stringify(value) ?? 'null');
    return;
  }
  seen.filled.add(place);
  seen.shapes.set(shape, (seen.shapes.get(shape) ?? new Set()).add(place));
  RECORDERS[shape]?.(seen, value as never, { luid, place, sets });
}

interface ValueLocation {
  readonly luid: string;
  readonly place: string;
  readonly sets: Sets;
}

const RECORDERS: {
  readonly [S in Shape]?: (seen: Observations, value: never, location: ValueLocation) => void;
} = {
  text: (seen, value: string, { place }) => recordString(seen, value, place),
  'list of texts': (seen, value: string[], { place }) => {
    for (const text of value) recordString(seen, text, place);
  },
  'content id': (seen, value: number) => void seen.ids.add(value),
  media: (seen, { url }: { url: string }) => void seen.urls.add(url),
  group: (seen, value: Record<string, unknown>, { luid, place, sets }) => {
    seen.sets.add(luid);
    recordFields(setGroup(sets, luid), value, place, sets, within(seen.address, false));
  },
  'list of groups': (seen, value: Record<string, unknown>[], { place, sets }) => {
    for (const [index, entry] of value.entries())
      recordFields(seen.entries, entry, `${place}/${index}`, sets, within(seen.address, true));
  },
  'list of blocks': (seen, value: Block[], { place, sets }) => {
    for (const [index, { luid, fields }] of value.entries()) {
      seen.sets.add(luid);
      seen.blocks += 1;
      const keys = seen.blockKeys.get(luid) ?? new Set();
      seen.blockKeys.set(luid, keys);
      for (const key of Object.keys(fields)) keys.add(key);
      recordFields(setGroup(sets, luid), fields, `${place}/${index}`, sets, () => undefined);
    }
  },
};

function recordString(seen: Observations, text: string, place: string): void {
  const places = seen.texts.get(text) ?? new Set();
  seen.texts.set(text, places.add(place));
}

function setGroup(sets: Sets, luid: string): Group {
  const group = sets.get(luid) ?? new Map();
  sets.set(luid, group);
  return group;
}

function within(outer: Address | undefined, inRepeat: boolean): (luid: string) => Address | undefined {
  if (!outer || outer.path.includes('.')) return () => undefined;
  return (luid) => ({ model: outer.model, path: `${outer.path}.${luid}`, inRepeat });
}
