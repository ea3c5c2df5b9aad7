import type { WireContent } from '../contract/content.ts';
import type { ModelMap } from '../models/types.ts';
import { type Items, withAltTexts, withoutRemoved } from './replica-items.ts';
import { oldestFullRead } from './store/full-read-times.ts';
import type { Journal, Manifest } from './store/manifest.ts';
import { DamagedSegment, type ModelTable } from './store/model-table.ts';
import { hashOf } from './store/segments.ts';
import { storedModelKey } from './store/stored-model-key.ts';
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
  /** What changed last, for the other languages. */
  readonly journal: Journal;
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
}

export interface ReplicaParts {
  readonly models: ModelMap;
  readonly lang?: string | undefined;
  readonly manifest: Manifest;
  readonly tables: readonly ModelTable[];
  readonly summary: Summary;
  readonly isFromCache: boolean;
  /** Provides the items if a segment turns out to be damaged. */
  readonly repair: (error: DamagedSegment) => Promise<Items>;
}

export function makeReplica(parts: ReplicaParts): Replica {
  const { models, lang, manifest, tables, summary, isFromCache, repair } = parts;
  const { gone, undeclared, undeclaredInMain, alts, journal } = manifest;
  const segments = Object.keys(models).map((model) =>
    manifest.models[storedModelKey(models, model)]?.segments.map(({ hash }) => hash),
  );
  const read = async (): Promise<Items> => {
    try {
      const items: WireContent[] = (await Promise.all(tables.map((table) => table.all()))).flat();
      return new Map(items.map((item) => [item._id, withAltTexts(models, alts, item)]));
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      return repair(error);
    }
  };
  let reading: Promise<Items> | undefined;
  const unresolvedItems = () => {
    reading ??= read();
    return reading;
  };
  return {
    fingerprint: hashOf(JSON.stringify([segments, gone, undeclared, undeclaredInMain, alts])),
    summary,
    readAt: oldestFullRead(models, manifest),
    isFromCache,
    journal,
    undeclared: new Set(undeclared),
    undeclaredInMain: new Set(undeclaredInMain),
    items: async () => {
      const items = await unresolvedItems();
      // In another language, what an item refers to may exist in the main language alone.
      return lang === undefined ? withoutRemoved(models, manifest, items) : items;
    },
    unresolvedItems,
  };
}
