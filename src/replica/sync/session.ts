import type { WireContent } from '../../contract/content.ts';
import { mayBeDraft } from '../../contract/item-times.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ReadSegment } from '../content/segment-items.ts';
import { hasEmptyReference, linksOf, mayReferToAnyModel } from '../item-links.ts';
import { pagesKey } from '../read/page-bytes.ts';
import { PageSizes } from '../read/page-sizes.ts';
import { createRequestStats } from '../read/request-stats.ts';
import { createSource, groupByFormats } from '../read/source.ts';
import type { Replica } from '../replica.ts';
import type { Cursor } from '../store/manifest/manifest.ts';
import { ageOfStored, storedModel } from '../store/manifest/stored-models.ts';
import type { Cache, CachedContent } from '../store/replica-cache.ts';
import type { TableOptions } from '../store/segments/model-table.ts';
import { openFacts } from '../store/segments/stored-facts.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { MainChanges } from './main-changes.ts';
import { ModelGroup, type PutResult } from './model-group.ts';
import type { Progress } from './progress.ts';

export interface SyncOptions extends CachedContent {
  /** Milliseconds after which everything is read again. */
  readonly maxAge: number;
  /** Read everything now, bypassing the CDN. */
  readonly forceFullSync?: boolean;
  /** The CDN may not show yet what changed: read changes bypassing it. */
  readonly bypassCdn?: boolean | undefined;
  /**
   * For servers that check every few seconds, so that requests cost more than time: read what changed where the heads are
   * fewer requests than everything.
   */
  readonly fewRequests?: boolean | undefined;
  /** Of another language: the replica of the main one, just synced. */
  readonly main?: Replica | undefined;
  /** Retry requests for which no connection could be made. Default true. */
  readonly retryConnecting?: boolean | undefined;
}

export interface SessionOptions extends Omit<SyncOptions, 'cache' | 'cacheDir'>, Cache {
  /** Models with a damaged segment: nothing stored of them is used. */
  readonly damagedModels: ReadonlySet<string>;
  readonly mainChanges: MainChanges;
  readonly progress: Progress;
  readonly now: () => number;
  /** Requests in parallel. */
  readonly concurrency: number;
  /** Ends all requests of the sync. */
  readonly stop: AbortController;
}

/** Up to where everything is known after a sync. */
export interface Reached {
  /** `null` if the next sync has to read everything. */
  readonly cursor: Cursor | null;
  /** The fingerprint of the heads; `null` if reading the same heads again would prove nothing. */
  readonly heads: string | null;
}

/** Of more items to read once more, the next sync reads everything. They are in the manifest, which every build reads. */
export const MAX_READ_AGAIN = 1000;

/** Retries of all requests of a sync together. */
const RETRIES = 100;

/** What one sync of one language works with, and what it will store when it is done. */
export type SyncSession = ReturnType<typeof openSession>;

export function openSession(options: SessionOptions) {
  const { models, manifest, snapshot, damagedModels, main, mainChanges, now, drafts = false } = options;
  const isDamaged = options.damaged || damagedModels.size > 0;
  const stats = createRequestStats(now);
  const pageSizes = new PageSizes(manifest.pageSizes, now);
  const budget = { retriesLeft: RETRIES };
  const sourceOf = (names: readonly string[]) =>
    createSource({ ...options, map: models, models: names, stats, budget, pageSizes });
  const readSegment = segmentReader(snapshot);
  const tableOptions: TableOptions = {
    stored: openFacts(models, manifest, readSegment),
    linksOf: (item) => linksOf(models, item),
    protect: (body, items) =>
      snapshot && (drafts || items.some(mayBeDraft)) ? snapshot.encrypt(body) : body,
  };
  const groups: readonly ModelGroup[] = groupByFormats(models).map((names) => {
    const stored = names.flatMap((name) => {
      const state = damagedModels.has(name) ? undefined : storedModel(models, manifest, name);
      return state ? [[name, state] as const] : [];
    });
    // A full sync that was requested, or that repairs, relies on nothing.
    const mayKnow = !options.forceFullSync && !isDamaged && stored.length === names.length;
    const pages = mayKnow ? manifest.pages[pagesKey(models, names)] : undefined;
    return new ModelGroup(sourceOf(names), new Map(stored), readSegment, tableOptions, pages);
  });
  const appeared = new Map(mainChanges.added.map((item) => [item._id, item]));
  const toReadNextTime = new Set<number>();
  const groupOf = (model: string) => groups.find(({ tables }) => tables.has(model)) as ModelGroup;
  const markAppeared = (items: readonly WireContent[]) => {
    for (const item of items) appeared.set(item._id, item);
  };
  const readNextTime = (items: readonly WireContent[]) => {
    for (const item of items) if (hasEmptyReference(models, item)) toReadNextTime.add(item._id);
  };

  return {
    ...options,
    groups,
    /** Reads what concerns all models, in the formats of the first group. */
    headsSource: groups[0]?.source ?? sourceOf([]),
    readSegment,
    stats,
    pageSizes,
    isDamaged,
    isMainLanguage: options.lang === undefined,
    /** Milliseconds since the oldest full read of what is stored; `undefined` if nothing is. */
    age: ageOfStored(models, manifest, now()),
    /** Of another language: the fingerprint of the main one, which this sync follows. */
    mainFingerprint: main?.fingerprint ?? null,
    /** Items that became visible since others may have been read, by id. */
    appeared,
    /** What the next sync reads once more, by id. */
    toReadNextTime,
    /** A full read cannot have seen everything that happened meanwhile: the next sync has to be a full one. */
    isInconclusive: false,
    /** `undefined`: what was known before. */
    reached: undefined as Reached | undefined,

    get count(): number {
      return groups.reduce((sum, { count }) => sum + count, 0);
    },

    /** Whether anything was read that others must not know of. */
    get hasReadDrafts(): boolean {
      const items = groups.flatMap(({ added, changed }) => [...added.values(), ...changed.values()]);
      return drafts || items.some(mayBeDraft);
    },

    /** Models of which nothing is known. */
    get unread(): string[] {
      return groups.flatMap(({ unread }) => [...unread]);
    },

    /** Models whose references may lead to what is not declared any more, or has disappeared since it was. */
    get outdated(): string[] {
      if (!options.modelMapChanged) return [];
      return Object.keys(models).filter((model) => mayReferToAnyModel(fieldsOf(models, model)));
    },

    groupOf,

    /** Puts an item into its table. Everything that is not read in full comes through here. */
    async put(item: WireContent): Promise<PutResult> {
      const result = await groupOf(item._model).put(item);
      if (result === 'new') markAppeared([item]);
      if (result !== 'unchanged') readNextTime([item]);
      return result;
    },

    markAppeared,
    /** What was read by itself may have empty references only because their targets were hidden at that moment. */
    readNextTime,
  };
}

/** Outside of `openSession`, where it would keep the session in memory as long as a segment is in use. */
function segmentReader(snapshot: Snapshot | undefined): ReadSegment {
  return async (hash) => snapshot?.segment(hash);
}
