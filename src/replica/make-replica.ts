import type { WireContent } from '../contract/content.ts';
import type { ModelMap } from '../models/types.ts';
import { createItemIndex, type ItemIndex } from './item-index.ts';
import { type Items, withAltTexts, withoutRemoved } from './replica-items.ts';
import { changesSince } from './store/change-history.ts';
import { oldestFullRead } from './store/full-read-times.ts';
import type { Journal, Manifest } from './store/manifest.ts';
import { DamagedSegment, type ModelTable } from './store/model-table.ts';
import { replicaFingerprint } from './store/replica-fingerprint.ts';
import type { Summary } from './sync/progress.ts';

/** The flat copy of a space in one language: every item of the declared models, references as ids. */
export interface Replica {
  /** Equal for equal content. */
  readonly fingerprint: string;
  readonly summary: Summary;
  /** When the oldest full read of a model was, by the local clock: content is not older. */
  readonly readAt: number | undefined;
  /** The last snapshot as it was: offline, or the service was unavailable. */
  readonly isFromCache: boolean;
  /** Settles when the cache is written, or a warning was logged that it cannot be. Never rejects. */
  readonly stored: Promise<void>;
  /** What changed last, for the other languages. */
  readonly journal: Journal;
  /** The fingerprint of the heads whose content it has completely, for the other languages; `null` if there are none. */
  readonly heads: string | null;
  /** For the other languages: it was read without heads, so changes of undeclared content are unknown. */
  readonly isUndeclaredUnknown: boolean;
  /** Removed items that others may still refer to. */
  readonly removed: ReadonlySet<number>;
  /** Content of undeclared models that items refer to, by id. */
  readonly undeclared: ReadonlySet<number>;
  /** Of another language: such content that exists in the main one only. */
  readonly undeclaredInMain: ReadonlySet<number>;
  /** All items by id, as this language alone shows them. Nothing is read from the cache before this is called. */
  items(): Promise<Items>;
  /**
   * The same, but references lead to whatever they led to when their item was read: to what was removed since, or
   * exists in another language only. Whatever resolves them decides.
   */
  unresolvedItems(): Promise<Items>;
  /**
   * Content IDs of everything that changed since the replica had another fingerprint, and keys of media; `undefined` if
   * that is not known.
   */
  changesSince(fingerprint: string): ReadonlySet<number> | undefined;
  /** Where the items are, and what they refer to. Damage is an error: `unresolvedItems` repairs it. */
  index(): Promise<ItemIndex>;
  /** Some of `unresolvedItems`. Reads only what is needed. Damage is an error too. */
  itemsById(ids: Iterable<number>): Promise<Items>;
}

export interface ReplicaParts {
  readonly models: ModelMap;
  readonly lang?: string | undefined;
  readonly manifest: Manifest;
  readonly tables: readonly ModelTable[];
  readonly summary: Summary;
  readonly isFromCache: boolean;
  readonly stored?: Promise<void>;
  /** Provides the items if a segment turns out to be damaged. */
  readonly repair: (error: DamagedSegment) => Promise<Items>;
}

export function makeReplica(parts: ReplicaParts): Replica {
  const { models, lang, manifest, tables, summary, isFromCache, repair } = parts;
  const { stored = Promise.resolve() } = parts;
  const { gone, undeclared, undeclaredInMain, alts, journal, history } = manifest;
  const read = async (): Promise<Items> => {
    try {
      const items = new Map<number, WireContent>();
      for (const all of await Promise.all(tables.map((table) => table.all())))
        for (const item of all) items.set(item._id, withAltTexts(models, alts, item));
      return items;
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      return repair(error);
    }
  };
  const tableOf = new Map(tables.map((table) => [table.model, table]));
  let indexing: Promise<ItemIndex> | undefined;
  const index = () => {
    indexing ??= Promise.all(
      tables.map(async (table) => ({ model: table.model, facts: await table.facts() })),
    ).then(createItemIndex);
    return indexing;
  };
  let reading: Promise<Items> | undefined;
  const unresolvedItems = () => {
    reading ??= read();
    return reading;
  };
  return {
    fingerprint: replicaFingerprint(models, manifest),
    summary,
    readAt: oldestFullRead(models, manifest),
    isFromCache,
    stored,
    journal,
    heads: manifest.heads,
    isUndeclaredUnknown: manifest.undeclaredTotal === null,
    removed: new Set(gone),
    undeclared: new Set(undeclared),
    undeclaredInMain: new Set(undeclaredInMain),
    items: async () => {
      const items = await unresolvedItems();
      // In another language, what an item refers to may exist in the main language alone.
      return lang === undefined ? withoutRemoved(models, manifest, items) : items;
    },
    unresolvedItems,
    changesSince: (fingerprint) => changesSince(history, fingerprint),
    index,
    async itemsById(ids) {
      const places = await index();
      const known = [...ids].flatMap((id) => places.get(id) ?? []);
      const byModel = Map.groupBy(known, ({ model }) => model);
      const items = await Promise.all(
        [...byModel].map(([model, some]) => tableOf.get(model)?.getSome(some.map(({ key }) => key)) ?? []),
      );
      return new Map(items.flat().map((item) => [item._id, withAltTexts(models, alts, item)]));
    },
  };
}
