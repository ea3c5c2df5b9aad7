import type { Connect } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import { mayBeDraft } from '../../contract/item-times.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import type { ReadSegment } from '../content/segment-items.ts';
import { hasEmptyReference, linksOf, mayReferToAnyModel } from '../item-links.ts';
import { pagesKey } from '../read/page-bytes.ts';
import { PageSizes } from '../read/page-sizes.ts';
import { createRequestStats, type RequestStats } from '../read/request-stats.ts';
import { createSource, groupByFormats, type Source } from '../read/source.ts';
import type { Replica } from '../replica.ts';
import { ageOfStored } from '../store/manifest/full-read-times.ts';
import type { Cursor, Manifest } from '../store/manifest/manifest.ts';
import { storedModelKey } from '../store/manifest/stored-model-key.ts';
import type { TableOptions } from '../store/segments/model-table.ts';
import { openFacts } from '../store/segments/stored-facts.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { MainChanges } from './main-changes.ts';
import { ModelGroup, type PutResult } from './model-group.ts';
import type { Progress } from './progress.ts';

export interface SessionOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space: string | undefined;
  readonly lang: string | undefined;
  /** Whether the key is the one for drafts. */
  readonly drafts?: boolean | undefined;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot | undefined;
  /** Read everything, bypassing the CDN. */
  readonly forceFullSync: boolean;
  /** Milliseconds after which everything is read again. */
  readonly maxAge: number;
  /** The manifest was stored for another model map. */
  readonly modelMapChanged: boolean;
  /** A stored manifest is damaged, and an older one is used. */
  readonly damaged: boolean;
  /** Models with a damaged segment: nothing stored of them is used. */
  readonly damagedModels: ReadonlySet<string>;
  /** Of another language: the replica of the main one. */
  readonly main: Replica | undefined;
  readonly mainChanges: MainChanges;
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  /** Requests in parallel. */
  readonly concurrency: number;
  readonly fewRequests?: boolean | undefined;
  readonly bypassCdn?: boolean | undefined;
  /** Ends all requests of the sync. */
  readonly stop: AbortController;
  readonly retryConnecting?: boolean | undefined;
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
export class SyncSession {
  readonly models: ModelMap;
  readonly manifest: Manifest;
  readonly groups: readonly ModelGroup[];
  /** Reads what concerns all models, in the formats of the first group. */
  readonly headsSource: Source;
  readonly concurrency: number;
  readonly fewRequests: boolean | undefined;
  readonly bypassCdn: boolean | undefined;
  readonly forceFullSync: boolean;
  readonly maxAge: number;
  /** Milliseconds since the oldest full read of what is stored; `undefined` if nothing is. */
  readonly age: number | undefined;
  readonly isDamaged: boolean;
  /** Where it is stored; `undefined` if it is not. */
  readonly snapshot: Snapshot | undefined;
  readonly readSegment: ReadSegment;
  readonly drafts: boolean;
  readonly isMainLanguage: boolean;
  readonly modelMapChanged: boolean;
  readonly stats: RequestStats;
  readonly pageSizes: PageSizes;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  readonly mainChanges: MainChanges;
  /** Of another language: the fingerprint of the main one, which this sync follows. */
  readonly main: string | null;
  /** Items that became visible since others may have been read, by id. */
  readonly appeared = new Map<number, WireContent>();
  /** What the next sync reads once more, by id. */
  readonly toReadNextTime = new Set<number>();
  /** A full read cannot have seen everything that happened meanwhile: the next sync has to be a full one. */
  isInconclusive = false;
  /** `undefined`: what was known before. */
  reached: Reached | undefined;
  readonly #progress: Progress;

  constructor(options: SessionOptions) {
    const { models, manifest, snapshot, damagedModels, main, now } = options;
    this.models = models;
    this.manifest = manifest;
    this.concurrency = options.concurrency;
    this.fewRequests = options.fewRequests;
    this.bypassCdn = options.bypassCdn;
    this.forceFullSync = options.forceFullSync;
    this.maxAge = options.maxAge;
    this.age = ageOfStored(models, manifest, now());
    this.isDamaged = options.damaged || damagedModels.size > 0;
    this.snapshot = snapshot;
    this.drafts = options.drafts ?? false;
    this.isMainLanguage = options.lang === undefined;
    this.modelMapChanged = options.modelMapChanged;
    this.warn = options.warn;
    this.now = now;
    this.#progress = options.progress;
    this.stats = createRequestStats(now);
    const pageSizes = new PageSizes(manifest.pageSizes, now);
    this.pageSizes = pageSizes;
    const budget = { retriesLeft: RETRIES };
    const sourceOf = (names: readonly string[]) =>
      createSource({ ...options, map: models, models: names, stats: this.stats, budget, pageSizes });
    const readSegment = segmentReader(snapshot);
    this.readSegment = readSegment;
    const tableOptions: TableOptions = {
      stored: openFacts(models, manifest, readSegment),
      linksOf: (item) => linksOf(models, item),
      protect: (body, items) =>
        snapshot && (this.drafts || items.some(mayBeDraft)) ? snapshot.encrypt(body) : body,
    };
    this.groups = groupByFormats(models).map((names) => {
      const stored = names.flatMap((name) => {
        const state = damagedModels.has(name) ? undefined : manifest.models[storedModelKey(models, name)];
        return state ? [[name, state] as const] : [];
      });
      // A full sync that was requested, or that repairs, relies on nothing.
      const mayKnow = !options.forceFullSync && !this.isDamaged && stored.length === names.length;
      const pages = mayKnow ? manifest.pages[pagesKey(models, names)] : undefined;
      return new ModelGroup(sourceOf(names), new Map(stored), readSegment, tableOptions, pages);
    });
    this.headsSource = this.groups[0]?.source ?? sourceOf([]);
    this.main = main?.fingerprint ?? null;
    this.mainChanges = options.mainChanges;
    this.markAppeared(this.mainChanges.added);
  }

  get count(): number {
    return this.groups.reduce((sum, { count }) => sum + count, 0);
  }

  /** Whether anything was read that others must not know of. */
  get hasReadDrafts(): boolean {
    const items = this.groups.flatMap(({ added, changed }) => [...added.values(), ...changed.values()]);
    return this.drafts || items.some(mayBeDraft);
  }

  /** Models of which nothing is known. */
  get unread(): string[] {
    return this.groups.flatMap(({ unread }) => [...unread]);
  }

  /** Models whose references may lead to what is not declared any more, or has disappeared since it was. */
  get outdated(): string[] {
    if (!this.modelMapChanged) return [];
    return Object.keys(this.models).filter((model) => mayReferToAnyModel(fieldsOf(this.models, model)));
  }

  groupOf(model: string): ModelGroup {
    return this.groups.find(({ tables }) => tables.has(model)) as ModelGroup;
  }

  /** Puts an item into its table. Everything that is not read in full comes through here. */
  async put(item: WireContent): Promise<PutResult> {
    const result = await this.groupOf(item._model).put(item);
    if (result === 'new') this.markAppeared([item]);
    if (result !== 'unchanged') this.readNextTime([item]);
    return result;
  }

  markAppeared(items: readonly WireContent[]): void {
    for (const item of items) this.appeared.set(item._id, item);
  }

  /** What was read by itself may have empty references only because their targets were hidden at that moment. */
  readNextTime(items: readonly WireContent[]): void {
    for (const item of items) if (hasEmptyReference(this.models, item)) this.toReadNextTime.add(item._id);
  }

  onPage(models: readonly string[]): (items: number, total: number) => void {
    const name = models.join(',');
    return (items, total) => this.#progress.page(name, items, total);
  }
}

/** Outside of the constructor, where it would keep the session in memory as long as a segment is in use. */
function segmentReader(snapshot: Snapshot | undefined): ReadSegment {
  return async (hash) => snapshot?.segment(hash);
}
