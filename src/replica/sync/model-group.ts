import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { ReadSegment } from '../content/segment-items.ts';
import type { Source } from '../read/source.ts';
import type { KnownPage, StoredModel } from '../store/manifest/manifest.ts';
import { ModelTable, type TableOptions } from '../store/segments/model-table.ts';
import { sortKeyOf } from '../store/segments/segments.ts';

/** What an item was to its table; silently changed: none of its times shows it. */
export type PutResult = 'new' | 'unchanged' | 'changed' | 'silently changed';

/** Models that can be requested together, and their tables while a sync works on them. */
export class ModelGroup {
  readonly source: Source;
  readonly tables: ReadonlyMap<string, ModelTable>;
  /** Models of which nothing is stored or read yet. */
  readonly unread: Set<string>;
  /** Models that were read in full in this sync. */
  readonly fullyRead = new Set<string>();
  /** What this sync added, changed and removed, by id. */
  readonly added = new Map<number, WireContent>();
  readonly changed = new Map<number, WireContent>();
  readonly removed = new Map<number, WireContent>();
  /** The pages that contain exactly what is in the tables, if that is known. */
  pages: readonly KnownPage[] | undefined;
  /** How many items the service has, if nothing of the space is stored. */
  expected: number | undefined;

  constructor(
    source: Source,
    states: ReadonlyMap<string, StoredModel>,
    readSegment: ReadSegment,
    facts: TableOptions,
    pages?: readonly KnownPage[],
  ) {
    this.source = source;
    this.pages = pages;
    this.tables = new Map(
      source.models.map((model) => [
        model,
        new ModelTable(model, states.get(model)?.segments ?? [], readSegment, facts),
      ]),
    );
    this.unread = new Set(source.models.filter((model) => !states.has(model)));
  }

  get count(): number {
    return [...this.tables.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** When each item was created. */
  async creationTimes(): Promise<number[]> {
    return (await Promise.all([...this.tables.values()].map((table) => table.creationTimes()))).flat();
  }

  /** The item with an id, if there is one. */
  async find(id: number): Promise<WireContent | undefined> {
    for (const table of this.tables.values()) {
      const item = await table.find(id);
      if (item) return item;
    }
    return undefined;
  }

  /** Of one of its models: the client refuses lists with content of others. */
  tableOf(model: string): ModelTable {
    return this.tables.get(model)!;
  }

  /** Puts an item into its table, as it is now. */
  async put(item: WireContent): Promise<PutResult> {
    const table = this.tableOf(item._model);
    if (await table.isUnchanged(item)) return 'unchanged';
    const before = await table.get(sortKeyOf(item));
    if (before && isSame(before, item)) return 'unchanged';
    await table.put(item);
    if (!before) {
      this.#recordAdded(item);
      return 'new';
    }
    this.#recordChanged(item);
    const isSilent = isSameTime(before, item) && !isSame({ ...before, _status: item._status }, item);
    return isSilent ? 'silently changed' : 'changed';
  }

  /** Removes an item that a response which must have contained it did not contain. */
  async remove(item: WireContent): Promise<void> {
    const table = this.tableOf(item._model);
    const before = await table.get(sortKeyOf(item));
    if (!before) return;
    await table.remove(before);
    this.#recordRemoved(before);
  }

  /** Replaces all items of models. Returns those that are new, and those that were otherwise before. */
  replace(
    models: readonly string[],
    before: readonly WireContent[],
    after: readonly WireContent[],
  ): { found: WireContent[]; changed: WireContent[] } {
    const old = new Map(before.map((item) => [item._id, item]));
    const found: WireContent[] = [];
    const changed: WireContent[] = [];
    for (const item of after) {
      const previous = old.get(item._id);
      old.delete(item._id);
      if (!previous) {
        found.push(item);
        this.#recordAdded(item);
      } else if (!isSame(previous, item)) {
        changed.push(item);
        this.#recordChanged(item);
      }
    }
    for (const item of old.values()) this.#recordRemoved(item);
    const byModel = Map.groupBy(after, ({ _model }) => _model);
    for (const model of models) this.tableOf(model).replace(byModel.get(model) ?? []);
    return { found, changed };
  }

  #recordAdded(item: WireContent): void {
    this.pages = undefined;
    this.removed.delete(item._id);
    this.added.set(item._id, item);
  }

  #recordChanged(item: WireContent): void {
    this.pages = undefined;
    this.changed.set(item._id, item);
  }

  #recordRemoved(item: WireContent): void {
    this.pages = undefined;
    this.added.delete(item._id);
    this.changed.delete(item._id);
    this.removed.set(item._id, item);
  }
}

export function isSame(a: WireContent, b: WireContent): boolean {
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  // An import of `node:util` would load all that it exports, in every load.
  return process.getBuiltinModule('node:util').isDeepStrictEqual(a, b);
}

function isSameTime(a: WireContent, b: WireContent): boolean {
  return a._updated_at === b._updated_at && a._last_published_at === b._last_published_at;
}

const TIMES = ['_updated_at', '_last_published_at'] as const;

/** Whether an item is certainly a later version of a known one: none of its times is earlier, and one is later. */
export function isNewer(item: WireContent, known: WireContent): boolean {
  return (
    TIMES.every((by) => timeOf(item, by) >= timeOf(known, by)) &&
    TIMES.some((by) => timeOf(item, by) > timeOf(known, by))
  );
}
