import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import { type Block, type Shape, shapeOf } from './shapes.ts';

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
type Sets = Map<string, Group>;

/** The fields of items by model, and by field set wherever it is used. */
export interface Observed {
  readonly models: ReadonlyMap<string, Group>;
  readonly sets: ReadonlyMap<string, Group>;
}

export function observeItems(items: readonly WireContent[]): Observed {
  const models = new Map<string, Group>();
  const sets: Sets = new Map();
  for (const item of items) {
    const model = item._model;
    const address = (luid: string): Address => ({ model, path: luid, inRepeat: false });
    recordFields(groupIn(models, model), item, String(item._id), sets, address, SYSTEM_NAMES);
  }
  return { models, sets };
}

/** Every field that was seen, at any depth. */
export function* fieldsSeen({ models, sets }: Observed): Generator<Observations> {
  for (const group of [...models.values(), ...sets.values()]) yield* fieldsIn(group);
}

function* fieldsIn(group: Group): Generator<Observations> {
  for (const seen of group.values()) {
    yield seen;
    yield* fieldsIn(seen.entries);
  }
}

export function addressKey({ model, path }: Address): string {
  return `${model}.${path}`;
}

/** Records the values of a group of fields, and of all nested groups. */
function recordFields(
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
    recordFields(groupIn(sets, luid), value, place, sets, within(seen.address, false));
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
      recordFields(groupIn(sets, luid), fields, `${place}/${index}`, sets, () => undefined);
    }
  },
};

function recordString(seen: Observations, text: string, place: string): void {
  const places = seen.texts.get(text) ?? new Set();
  seen.texts.set(text, places.add(place));
}

function groupIn(groups: Map<string, Group>, name: string): Group {
  const group = groups.get(name) ?? new Map();
  groups.set(name, group);
  return group;
}

function within(outer: Address | undefined, inRepeat: boolean): (luid: string) => Address | undefined {
  if (!outer || outer.path.includes('.')) return () => undefined;
  return (luid) => ({ model: outer.model, path: `${outer.path}.${luid}`, inRepeat });
}
