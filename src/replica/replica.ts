import type { Connect } from '../client/http/connection.ts';
import { isUnavailable } from '../client/http/failure.ts';
import { CONCURRENT_READS } from '../client/http/rate-limiter.ts';
import type { WireContent } from '../contract/content.ts';
import { LuidError, withHint } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { ModelMap } from '../models/types.ts';
import { mapLeaves } from '../models/walk.ts';
import { ageSince, ageText } from './age.ts';
import { mayReferToAnyModel } from './reference-fields.ts';
import { collectAltTexts } from './store/alt-texts.ts';
import type { Journal, Manifest } from './store/manifest.ts';
import { DamagedSegment, ModelCopy } from './store/model-table.ts';
import { hashOf } from './store/segments.ts';
import { emptyManifest, type Loaded, openSnapshot, type Snapshot } from './store/snapshot.ts';
import { type CacheOptions, openStorage } from './store/storage.ts';
import { createProgress, type Progress, type Summary, summaryLine } from './sync/progress.ts';
import { SyncSession, stateName } from './sync/session.ts';
import { syncLanguage } from './sync/sync.ts';

export interface ReplicaOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space?: string | undefined;
  /** Absent: the main language. */
  readonly lang?: string | undefined;
  readonly cache: CacheOptions | false;
  /** Where the cache lies unless `cache` says otherwise. */
  readonly cacheDir: string;
  /** Milliseconds after which everything is read again. */
  readonly maxAge: number;
  /** Read everything now, past the CDN. */
  readonly audit?: boolean;
  /** Store when everything was read, though it was what is stored already. */
  readonly recordsRead?: boolean | undefined;
  /** Use the last snapshot and ask nothing. */
  readonly offline?: boolean;
  /** What to do when the service fails: nothing, or use the last snapshot, if it is not older than this. */
  readonly staleFor?: number | undefined;
  /**
   * When the service is unavailable and there is a snapshot: use it, whatever `staleFor` says, or add this
   * hint to the error.
   */
  readonly whenUnavailable?: 'use the snapshot' | { readonly hint: string } | undefined;
  /** Of another language: the replica of the main one, just synced. */
  readonly main?: Pick<Replica, 'journal'> | undefined;
  readonly logger: Logger;
  /** Told of each page that was read. Default: lines through the logger, every few seconds. */
  readonly progress?: Progress | undefined;
}

/** The flat copy of a space in one language: every item of the declared models, references as ids. */
export interface Replica {
  /** Equal for equal content. */
  readonly version: string;
  readonly summary: Summary;
  /** When the model was read that was read whole the longest ago, by the local clock: content is not older. */
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
   * exists in another language only. Whoever resolves them decides.
   */
  unresolvedItems(): Promise<Items>;
}

export type Items = ReadonlyMap<number, WireContent>;

/** Brings the replica of a space up to date, and stores it. It is right, or this throws and nothing has changed. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const store = await openStore(options);
  if (options.offline) return lastKnown(options, store, 'LUID_OFFLINE is set');
  try {
    return await syncWith(options, store, new Set());
  } catch (error) {
    const age = ageOf(options, store.manifest, await nowOf(options));
    if (age === undefined) throw error;
    const { staleFor = Number.NEGATIVE_INFINITY, whenUnavailable } = options;
    if (age > staleFor) {
      if (whenUnavailable === undefined || !isUnavailable(error)) throw error;
      if (whenUnavailable !== 'use the snapshot') throw withHint(error, whenUnavailable.hint);
    }
    options.logger.warn(`Service unavailable; using cached content (${ageText(age)})`);
    options.logger.warn(error instanceof Error ? error.message : String(error));
    return lastKnown(options, store, 'Service unavailable');
  }
}

interface Store extends Loaded {
  readonly snapshot: Snapshot | undefined;
}

function emptyStore(): Store {
  return { snapshot: undefined, manifest: emptyManifest(), damaged: false, adopted: false };
}

/** The storage and what is stored. One that cannot be used is not a reason to fail. */
async function openStore(options: ReplicaOptions): Promise<Store> {
  const { connect, models, space, lang, cache, cacheDir, logger } = options;
  if (cache === false) return emptyStore();
  const { baseUrl, apiKey } = await connect();
  const states = Object.keys(models).map((model) => stateName(models, model));
  const snapshot = openSnapshot(openStorage(cache, cacheDir), { baseUrl, apiKey, space, lang, states });
  try {
    const loaded = await snapshot.load();
    if (loaded.damaged) logger.warn('A part of the cache is damaged: what it held is fetched again');
    return { snapshot, ...loaded };
  } catch (error) {
    logger.warn(`The cache cannot be read, so everything is fetched: ${messageOf(error)}`);
    return emptyStore();
  }
}

async function syncWith(
  options: ReplicaOptions,
  store: Store,
  damaged: ReadonlySet<string>,
): Promise<Replica> {
  const { models, logger } = options;
  const { clock, network } = await options.connect();
  const now = () => clock.now();
  const age = ageOf(options, store.manifest, now());
  const stop = new AbortController();
  const session = new SyncSession({
    ...options,
    ...store,
    space: options.space,
    lang: options.lang,
    // What was lost cannot tell which of its items others were read without, nor what only a whole read shows.
    full:
      options.audit === true ||
      !store.manifest.settled ||
      store.damaged ||
      damaged.size > 0 ||
      (age !== undefined && age > options.maxAge),
    damaged,
    mainJournal: options.main?.journal,
    progress: options.progress ?? createProgress(logger, now),
    warn: (message) => logger.warn(message),
    now,
    concurrency: network.concurrency ?? CONCURRENT_READS,
    stop,
  });
  try {
    await syncLanguage(session);
    const changed = session.groups.flatMap((group) => [...group.added.values(), ...group.changed.values()]);
    const { manifest, written } = await session.pack(() => collectAltTexts(models, changed));
    const summary = summaryOf(session);
    logger.info(summaryLine(summary));
    const repairs = store.damaged || damaged.size > 0;
    if (repairs || store.adopted || options.recordsRead || !isEqual(store.manifest, manifest))
      await commit(options, store, manifest, written, now());
    const copies = session.groups.flatMap((group) => [...group.copies.values()]);
    return replicaOf(options, { ...store, manifest, adopted: false }, copies, summary);
  } catch (error) {
    // No request of this sync goes on while the next one is under way.
    stop.abort(error);
    if (!(error instanceof DamagedSegment) || damaged.has(error.model)) throw error;
    logger.warn(`${error.message}: it is fetched again`);
    return syncWith(options, store, new Set([...damaged, error.model]));
  }
}

async function commit(
  { logger }: ReplicaOptions,
  { snapshot }: Store,
  manifest: Manifest,
  written: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  try {
    await snapshot?.commit(manifest, written, now);
  } catch (error) {
    logger.warn(
      `The cache cannot be written, so the next build starts from the last one: ${messageOf(error)}`,
    );
  }
}

const HOUR = 60 * 60 * 1000;

/** Whether a manifest contains nothing new, so that a rebuild without changes writes nothing. */
function isEqual(before: Manifest, after: Manifest): boolean {
  const contentOf = ({ generation: _, leaving: __, models, ...rest }: Manifest) => {
    const states = Object.entries(models).map(([name, state]) => [
      name,
      { ...state, readAt: Math.floor(state.readAt / HOUR) },
    ]);
    return JSON.stringify([states, rest]);
  };
  return contentOf(before) === contentOf(after);
}

/** The last snapshot, as it is. */
async function lastKnown(options: ReplicaOptions, store: Store, why: string): Promise<Replica> {
  const { models } = options;
  const copies = Object.keys(models).flatMap((model) => {
    const state = store.manifest.models[stateName(models, model)];
    return state ? [new ModelCopy(model, state.segments, async (hash) => store.snapshot?.segment(hash))] : [];
  });
  if (copies.length < Object.keys(models).length) {
    throw new LuidError(`${why}, but there is no snapshot of all models in this language`, {
      hint: 'Build once with the service in reach, with `cache` not false.',
    });
  }
  const items = copies.reduce((sum, { count }) => sum + count, 0);
  const changes = { added: 0, changed: 0, removed: 0 };
  const summary = { items, ...changes, requests: 0, cached: 0, retries: 0, waited: 0 };
  return { ...replicaOf(options, store, copies, summary), isFromCache: true };
}

function replicaOf(
  options: ReplicaOptions,
  store: Store,
  copies: readonly ModelCopy[],
  summary: Summary,
): Replica {
  const { models } = options;
  const { gone, undeclared, undeclaredInMain, alts, journal } = store.manifest;
  const segments = Object.keys(models).map((model) =>
    store.manifest.models[stateName(models, model)]?.segments.map(({ hash }) => hash),
  );
  const read = async (): Promise<Items> => {
    try {
      const items = (await Promise.all(copies.map((copy) => copy.all()))).flat();
      return new Map(items.map((item) => [item._id, withAlts(models, alts, item)]));
    } catch (error) {
      if (!(error instanceof DamagedSegment) || options.offline) throw error;
      options.logger.warn(`${error.message}: it is fetched again`);
      return (await syncWith(options, store, new Set([error.model]))).unresolvedItems();
    }
  };
  let items: Promise<Items> | undefined;
  const unresolvedItems = () => {
    items ??= read();
    return items;
  };
  return {
    version: hashOf(JSON.stringify([segments, gone, undeclared, undeclaredInMain, alts])),
    summary,
    readAt: readAtOf(options, store.manifest),
    isFromCache: false,
    journal,
    undeclared: new Set(undeclared),
    undeclaredInMain: new Set(undeclaredInMain),
    items: async () => withoutRemoved(options, store.manifest, await unresolvedItems()),
    unresolvedItems,
  };
}

/** An item with the alternative texts that were seen last: until it is read again, it has those of its time. */
function withAlts(models: ModelMap, alts: Manifest['alts'], item: WireContent): WireContent {
  if (Object.keys(alts).length === 0) return item;
  return mapLeaves(models[item._model] ?? {}, item, ({ field, value }) => {
    if (field.type === 'reference') return value;
    const { url, alt: before } = value as { url: string; alt: string };
    const alt = Object.hasOwn(alts, url) ? alts[url] : undefined;
    return alt === undefined || alt === before ? value : { ...(value as object), alt };
  });
}

/**
 * Items without references to what was removed. In another language than the main one, what an item refers to may
 * exist in the main language alone, so they stay.
 */
function withoutRemoved({ models, lang }: ReplicaOptions, manifest: Manifest, items: Items): Items {
  if (lang !== undefined) return items;
  const [gone, undeclared] = [new Set(manifest.gone), new Set(manifest.undeclared)];
  const leadAnywhere = new Set(
    Object.keys(models).filter((model) => mayReferToAnyModel(models[model] ?? {})),
  );
  if (gone.size + leadAnywhere.size === 0) return items;
  const isRemoved = (id: number, isTyped: boolean) =>
    !items.has(id) && (gone.has(id) || (!isTyped && !undeclared.has(id)));
  const clean = (item: WireContent) => {
    if (gone.size === 0 && !leadAnywhere.has(item._model)) return item;
    return mapLeaves(models[item._model] ?? {}, item, ({ field, value }) => {
      const isReference = field.type === 'reference' && typeof value === 'number';
      return isReference && isRemoved(value, field.model !== undefined) ? null : value;
    });
  };
  return new Map([...items].map(([id, item]) => [id, clean(item)]));
}

/**
 * How long ago the oldest model was read whole; `undefined` if one was never. A time in the future says nothing,
 * so it counts as long ago: else nothing would ever be read whole again.
 */
function ageOf(options: ReplicaOptions, manifest: Manifest, now: number): number | undefined {
  const ages = readTimes(options, manifest)?.map((time) => ageSince(time, now));
  return ages && Math.max(...ages);
}

function readAtOf(options: ReplicaOptions, manifest: Manifest): number | undefined {
  const times = readTimes(options, manifest);
  return times && Math.min(...times);
}

/** When each model was read whole; `undefined` if one was never. */
function readTimes({ models }: ReplicaOptions, manifest: Manifest): number[] | undefined {
  const times = Object.keys(models).map((model) => manifest.models[stateName(models, model)]?.readAt);
  return times.every((time) => time !== undefined) ? times : undefined;
}

async function nowOf({ connect }: ReplicaOptions): Promise<number> {
  return (await connect()).clock.now();
}

function summaryOf({ groups, stats }: SyncSession): Summary {
  const sum = (of: (group: SyncSession['groups'][number]) => number) =>
    groups.reduce((all, group) => all + of(group), 0);
  return {
    items: sum(({ count }) => count),
    added: sum(({ added }) => added.size),
    changed: sum(({ changed }) => changed.size),
    removed: sum(({ removed }) => removed.size),
    ...stats.counts(),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
