import { isDeepStrictEqual } from 'node:util';
import type { WireContent } from '../contract/content.ts';
import { ModelCopy, type ReadSegment } from './copy.ts';
import type { Cursor, ModelState } from './manifest.ts';
import { scan, timeOf } from './scan.ts';
import { placeOf } from './segments.ts';
import type { Source } from './source.ts';

interface ReadOptions {
  readonly fresh: boolean;
  /** How many items there may be of a model of which nothing is known. */
  readonly likely?: number;
  readonly onPage?: (items: number, total: number) => void;
}

/** Models that are asked for together, and their copies while a sync works on them. */
export class Group {
  readonly source: Source;
  readonly copies: ReadonlyMap<string, ModelCopy>;
  /** Models of which nothing is known yet. */
  readonly unread: Set<string>;
  /** Models that were read whole in this sync. */
  readonly read = new Set<string>();
  /** Since when the copies must be caught up; `undefined` if some have no cursor. */
  readonly cursor: Cursor | undefined;
  /** What came, changed and went, by id. */
  readonly added = new Map<number, WireContent>();
  readonly changed = new Map<number, WireContent>();
  readonly removed = new Map<number, WireContent>();
  /** What may have come into sight after something that refers to it was read. */
  readonly arrived = new Map<number, WireContent>();

  constructor(source: Source, states: ReadonlyMap<string, ModelState>, readSegment: ReadSegment) {
    this.source = source;
    this.copies = new Map(
      source.models.map((model) => [
        model,
        new ModelCopy(model, states.get(model)?.segments ?? [], readSegment),
      ]),
    );
    this.unread = new Set(source.models.filter((model) => !states.has(model)));
    this.cursor = earliest(source.models.flatMap((model) => states.get(model)?.cursor ?? []));
  }

  get count(): number {
    return [...this.copies.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Of one of its models: a list with content of others is refused when it comes. */
  copyOf(model: string): ModelCopy {
    return this.copies.get(model)!;
  }

  /** Takes an item as it is now. Tells what it was before. */
  async take(item: WireContent): Promise<'new' | 'same' | 'changed' | 'changed at an unchanged time'> {
    const copy = this.copyOf(item._model);
    const before = await copy.get(placeOf(item));
    if (before && isSame(before, item)) return 'same';
    await copy.put(item);
    if (!before) {
      this.#came(item);
      return 'new';
    }
    this.changed.set(item._id, item);
    return isSameTime(before, item) && !isSame({ ...before, _status: item._status }, item)
      ? 'changed at an unchanged time'
      : 'changed';
  }

  /** Reads a model whole and takes it for what it is. Gives what was not known before. */
  async readModel(model: string, { likely = 0, ...how }: ReadOptions): Promise<WireContent[]> {
    const copy = this.copyOf(model);
    const expected = copy.count || likely;
    const read = (fresh: boolean) =>
      scan(this.source, { models: [model], by: '_created_at', expected, ...how, fresh });
    const before = await copy.all();
    let items = await read(how.fresh);
    // A copy of the CDN's that is older than ours must not win, and a great loss must be seen twice.
    if (!how.fresh && mayBeOlder(before, items)) items = await read(true);
    if (losesMuch(before, items)) items = await read(true);
    const found = this.#compare(before, items);
    copy.replace(items);
    this.unread.delete(model);
    this.read.add(model);
    return found;
  }

  /** Reads a model again because something in it is not as it should be. */
  async readAgain(model: string): Promise<void> {
    this.arrive(await this.readModel(model, { fresh: true }));
  }

  /** Removes an item that a page which must have held it did not hold. */
  async drop(item: WireContent): Promise<void> {
    const copy = this.copyOf(item._model);
    const before = await copy.get(placeOf(item));
    if (!before) return;
    await copy.remove(before);
    this.#went(before);
  }

  /** Takes note of what was found in the copies' place, and what was not. */
  note(found: readonly WireContent[], left: readonly WireContent[]): void {
    for (const item of found) this.#came(item);
    this.arrive(found);
    for (const item of left) this.#went(item);
  }

  /** What refers to these may have been read before they came into sight, and is to be read again. */
  arrive(items: readonly WireContent[]): void {
    for (const item of items) this.arrived.set(item._id, item);
  }

  #came(item: WireContent): void {
    this.removed.delete(item._id);
    this.added.set(item._id, item);
  }

  #went(item: WireContent): void {
    this.added.delete(item._id);
    this.changed.delete(item._id);
    this.arrived.delete(item._id);
    this.removed.set(item._id, item);
  }

  #compare(before: readonly WireContent[], after: readonly WireContent[]): WireContent[] {
    const old = new Map(before.map((item) => [item._id, item]));
    const found: WireContent[] = [];
    for (const item of after) {
      const previous = old.get(item._id);
      old.delete(item._id);
      if (!previous) {
        found.push(item);
        this.#came(item);
      } else if (!isSame(previous, item)) this.changed.set(item._id, item);
    }
    for (const item of old.values()) this.#went(item);
    return found;
  }
}

export function isSame(a: WireContent, b: WireContent): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(a, b);
}

function isSameTime(a: WireContent, b: WireContent): boolean {
  return a._updated_at === b._updated_at && a._last_published_at === b._last_published_at;
}

export function earliest(cursors: readonly Cursor[]): Cursor | undefined {
  if (cursors.length === 0) return undefined;
  return {
    updated: Math.min(...cursors.map(({ updated }) => updated)),
    published: Math.min(...cursors.map(({ published }) => published)),
  };
}

const TIMES = ['_updated_at', '_last_published_at'] as const;

/** Whether an item is beyond doubt a later state of one that is known: none of its times is earlier, and one is later. */
export function isNewer(item: WireContent, known: WireContent): boolean {
  return (
    TIMES.every((by) => timeOf(item, by) >= timeOf(known, by)) &&
    TIMES.some((by) => timeOf(item, by) > timeOf(known, by))
  );
}

/** Whether a list could have been made before what is known: it lacks items, or has them as they may have been. */
function mayBeOlder(known: readonly WireContent[], list: readonly WireContent[]): boolean {
  const old = new Map(known.map((item) => [item._id, item]));
  const newest = TIMES.map((by) =>
    known.reduce((latest, item) => Math.max(latest, timeOf(item, by)), Number.NEGATIVE_INFINITY),
  );
  let met = 0;
  const isDoubtful = (item: WireContent) => {
    const before = old.get(item._id);
    if (!before) return TIMES.every((by, index) => timeOf(item, by) < (newest[index] as number));
    met += 1;
    return !isSame(before, item) && !isNewer(item, before);
  };
  return list.some(isDoubtful) || met < known.length;
}

/** More than the larger of 50 items and a tenth. */
function losesMuch(before: readonly WireContent[], after: readonly WireContent[]): boolean {
  const now = new Set(after.map(({ _id }) => _id));
  const lost = before.filter(({ _id }) => !now.has(_id)).length;
  return lost > Math.max(50, before.length / 10);
}
