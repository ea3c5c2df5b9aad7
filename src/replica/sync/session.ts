import type { Connect } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import type { ModelMap } from '../../models/types.ts';
import { linksOf } from '../item-links.ts';
import { cursorOf, type Heads } from '../read/heads.ts';
import { headsScope } from '../read/heads-scope.ts';
import { createRequestStats, type RequestStats } from '../read/request-stats.ts';
import { createSource, groupByFormats, type Models, type Source } from '../read/source.ts';
import { ageOfStored } from '../store/full-read-times.ts';
import type { Cursor, Journal, Manifest } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { openFacts } from '../store/stored-facts.ts';
import { storedModelKey } from '../store/stored-model-key.ts';
import type { Change } from './catch-up.ts';
import { type MainChanges, mainChanges } from './main-changes.ts';
import { ModelGroup, type PutResult } from './model-group.ts';
import type { Progress } from './progress.ts';
import { UndeclaredContent } from './undeclared-content.ts';
import { VisibilityLog } from './visibility-log.ts';

export interface SessionOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space: string | undefined;
  readonly lang: string | undefined;
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
  /** Of another language: the journal of the main one. */
  readonly mainJournal: Journal | undefined;
  /** Of another language: the fingerprint of the heads that the main one knows completely, if any. */
  readonly mainHeads?: string | null | undefined;
  /** Of another language: the main one was read without heads, so changes of undeclared content are unknown. */
  readonly isUndeclaredUnknown?: boolean | undefined;
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  /** Requests in parallel. */
  readonly concurrency: number;
  readonly fewRequests?: boolean | undefined;
  /** Ends all requests of the sync. */
  readonly stop: AbortController;
}

/** Up to where everything is known after a sync. */
export type Reached =
  | { readonly kind: 'same heads as before' }
  /** Nothing shows which of the edits under way the read has seen. */
  | { readonly kind: 'read without heads' }
  | {
      readonly kind: 'heads';
      readonly cursor: Cursor;
      /** `null` if reading the same heads again would prove nothing. */
      readonly fingerprint: string | null;
      readonly neverPublished: number;
    };

/** Retries of all requests of a sync together. */
const RETRIES = 100;

/** What one sync of one language works with, and what it will store when it is done. */
export class SyncSession {
  readonly models: ModelMap;
  readonly manifest: Manifest;
  readonly groups: readonly ModelGroup[];
  /** Reads what concerns all models, in the formats of the first group. */
  readonly headsSource: Source;
  /** Reads the heads of the main language. */
  readonly mainHeadsSource: Source;
  /** The models that the heads cover. */
  readonly headsModels: Models;
  readonly concurrency: number;
  readonly fewRequests: boolean | undefined;
  readonly forceFullSync: boolean;
  readonly maxAge: number;
  /** Milliseconds since the oldest full read of what is stored; `undefined` if nothing is. */
  readonly age: number | undefined;
  readonly isDamaged: boolean;
  readonly isCached: boolean;
  readonly isMainLanguage: boolean;
  /** References that may lead to content of undeclared models are then looked up again. */
  readonly modelMapChanged: boolean;
  readonly stats: RequestStats;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  readonly mainChanges: MainChanges;
  /** Of another language: the journal of the main one, which this sync follows. */
  readonly mainJournal: Journal | undefined;
  readonly mainHeads: string | null | undefined;
  readonly isUndeclaredUnknown: boolean;
  readonly visibility: VisibilityLog;
  readonly undeclared: UndeclaredContent;
  /** The service counted another number of items than is stored. */
  countDiffered = false;
  /** A full read cannot have seen everything that happened meanwhile: the next sync has to be a full one. */
  needsFullSync = false;
  reached: Reached = { kind: 'same heads as before' };
  readonly #progress: Progress;

  constructor(options: SessionOptions) {
    const { models, manifest, snapshot, damagedModels, mainJournal, now } = options;
    this.models = models;
    this.manifest = manifest;
    this.concurrency = options.concurrency;
    this.fewRequests = options.fewRequests;
    this.forceFullSync = options.forceFullSync;
    this.maxAge = options.maxAge;
    this.age = ageOfStored(models, manifest, now());
    this.isDamaged = options.damaged || damagedModels.size > 0;
    this.isCached = snapshot !== undefined;
    this.isMainLanguage = options.lang === undefined;
    this.modelMapChanged = options.modelMapChanged;
    this.warn = options.warn;
    this.now = now;
    this.#progress = options.progress;
    this.stats = createRequestStats(now);
    this.headsModels = headsScope(models, options.lang).newestOf;
    const budget = { retriesLeft: RETRIES };
    const sourceOf = (names: readonly string[]) =>
      createSource({
        ...options,
        map: models,
        models: names,
        newestOf: this.headsModels,
        stats: this.stats,
        budget,
      });
    const readSegment = async (hash: string) => snapshot?.segment(hash);
    const facts = {
      stored: openFacts(models, manifest, readSegment),
      linksOf: (item: WireContent) => linksOf(models, item),
    };
    this.groups = groupByFormats(models).map((names) => {
      const stored = names.flatMap((name) => {
        const state = damagedModels.has(name) ? undefined : manifest.models[storedModelKey(models, name)];
        return state ? [[name, state] as const] : [];
      });
      return new ModelGroup(sourceOf(names), new Map(stored), readSegment, facts);
    });
    this.headsSource = this.groups[0]?.source ?? sourceOf([]);
    this.mainHeadsSource = this.isMainLanguage
      ? this.headsSource
      : createSource({
          ...options,
          ...headsScope(models, undefined),
          map: models,
          lang: undefined,
          stats: this.stats,
          budget,
        });
    this.mainJournal = mainJournal;
    this.mainHeads = options.mainHeads;
    this.isUndeclaredUnknown = options.isUndeclaredUnknown ?? false;
    this.mainChanges = mainChanges(manifest, mainJournal);
    this.undeclared = new UndeclaredContent(manifest, this.mainChanges.undeclared);
    this.visibility = new VisibilityLog(models, manifest.unconfirmed, this.mainChanges);
    // What the other map declared may be undeclared now, and what any empty reference leads to.
    if (options.modelMapChanged) this.visibility.undeclaredAppeared = true;
  }

  /** Nothing was stored before. */
  get isFirstSync(): boolean {
    return this.manifest.generation === 0;
  }

  get tracksUndeclared(): boolean {
    return this.headsModels === 'all';
  }

  get count(): number {
    return this.groups.reduce((sum, { count }) => sum + count, 0);
  }

  /** Models of which nothing is known. */
  get unread(): string[] {
    return this.groups.flatMap(({ unread }) => [...unread]);
  }

  /** Up to where everything that is stored is known; `undefined` if that is unknown of a model, or nothing is stored. */
  get cursor(): Cursor | undefined {
    const unread = new Set(this.unread);
    const known = Object.keys(this.models).filter((model) => !unread.has(model));
    const cursors = known.flatMap(
      (model) => this.manifest.models[storedModelKey(this.models, model)]?.cursor ?? [],
    );
    if (cursors.length === 0 || cursors.length < known.length) return undefined;
    return cursors.reduce(earliest);
  }

  groupOf(model: string): ModelGroup {
    return this.groups.find(({ tables }) => tables.has(model)) as ModelGroup;
  }

  isDeclared(model: string): boolean {
    return this.groups.some(({ tables }) => tables.has(model));
  }

  /** Puts an item into its table. Everything that is not read in full comes through here. */
  async put(change: Change): Promise<PutResult> {
    const result = await this.groupOf(change.item._model).put(change.item);
    this.visibility.record(change, result);
    return result;
  }

  /** Everything is known up to these heads. */
  reachHeads(heads: Heads, fingerprint: string | null): void {
    const { neverPublished } = heads;
    this.reached = { kind: 'heads', cursor: cursorOf(heads), fingerprint, neverPublished };
  }

  onPage(models: readonly string[]): (items: number, total: number) => void {
    const name = models.join(',');
    return (items, total) => this.#progress.page(name, items, total);
  }
}

function earliest(a: Cursor, b: Cursor): Cursor {
  return { updated: Math.min(a.updated, b.updated), published: Math.min(a.published, b.published) };
}
