import type { LoaderContext } from 'astro/loaders';
import { errorMessage } from '../shared/errors.ts';

/** The last load of a collection, for the dev server, its toolbar and the warnings of a build. */
export interface CollectionStatus {
  readonly collection: string;
  readonly model: string;
  /** LUID of the sub-space, where the space names one. */
  readonly space?: string | undefined;
  /** Of the service, if it is known. */
  readonly baseUrl?: string | undefined;
  /** The loader has `drafts: true`. */
  readonly drafts: boolean;
  /** The languages that were read, `undefined` for the main one. Absent: only the main language. */
  readonly langs?: readonly (string | undefined)[];
  readonly entries: number;
  /** When the last successful load ended: milliseconds since 1970, or 0. */
  readonly loadedAt: number;
  /** When the last load ended, successful or not: milliseconds since 1970. */
  readonly attemptedAt: number;
  /** Loaded from the cache: the service was unavailable, or LUID_OFFLINE is set. */
  readonly isStale?: boolean;
  /** The loader warned about drafts in a collection without `drafts: true`. */
  readonly warnedOfDrafts?: boolean;
  /** Why the last load failed, if it did. */
  readonly error?: string | undefined;
}

/** By collection. Written by loaders, read by the integration. */
const statuses = new Map<string, CollectionStatus>();

/** What distinguishes the collections of several spaces. Equal in each evaluation of the file that defines them. */
interface StatusSpace {
  readonly models: object;
  readonly settings: { readonly space?: string | undefined; readonly baseUrl?: string | undefined };
}

export interface LoadOutcome extends Pick<CollectionStatus, 'isStale' | 'warnedOfDrafts'> {
  readonly langs: readonly (string | undefined)[];
  /** Default: that of the definition. It may come from the environment instead. */
  readonly baseUrl?: string | undefined;
  /** Why the load failed, so that the previous content was kept. */
  readonly error?: unknown;
}

/** Called by a loader when its collection is in the store, or when it keeps the previous content. */
export function recordLoad(
  { settings }: StatusSpace,
  { model, drafts }: { readonly model: string; readonly drafts: boolean },
  { collection, store }: Pick<LoaderContext, 'collection' | 'store'>,
  { langs, baseUrl = settings.baseUrl, isStale = false, warnedOfDrafts = false, error }: LoadOutcome,
): void {
  const now = Date.now();
  setCollectionStatus({
    collection,
    model,
    space: settings.space,
    baseUrl,
    drafts,
    langs,
    entries: store.keys().length,
    isStale,
    warnedOfDrafts,
    loadedAt: error === undefined ? now : (statuses.get(collection)?.loadedAt ?? 0),
    attemptedAt: now,
    error: error === undefined ? undefined : errorMessage(error),
  });
}

export function setCollectionStatus(status: CollectionStatus): void {
  statuses.set(status.collection, status);
}

/** The collections of a space that were loaded, ordered by name. */
export function collectionStatuses({ models, settings }: StatusSpace): CollectionStatus[] {
  return (
    [...statuses.values()]
      .filter(({ model, space }) => Object.hasOwn(models, model) && space === settings.space)
      // Only known if the definition, or the environment that astro.config sees, has it.
      .filter(({ baseUrl }) => !baseUrl || !settings.baseUrl || baseUrl === settings.baseUrl)
      .sort((a, b) => (a.collection < b.collection ? -1 : 1))
  );
}

/** Removes the collections that a refresh since `startedAt` did not load although it loaded others: the site has removed them. */
export function forgetRemovedCollections(startedAt: number): void {
  const others = [...statuses.values()].filter(({ attemptedAt }) => attemptedAt < startedAt);
  const hasLoaded = others.length < statuses.size;
  if (hasLoaded) for (const { collection } of others) statuses.delete(collection);
}

/** Why a refresh that began at `startedAt` had no effect, if it had none. */
export function refreshFailure(
  startedAt: number,
  collections: readonly CollectionStatus[],
): string | undefined {
  // A loader that keeps the previous content does not throw, but did not load the changes either.
  const errors = new Set(collections.flatMap(({ error }) => error ?? []));
  if (errors.size > 0) return [...errors].join('\n');
  // While it reads the content config again, or cannot read it, Astro silently runs no loader.
  if (collections.length === 0 || collections.some(({ loadedAt }) => loadedAt >= startedAt)) return undefined;
  return 'Astro ran no loader: check the content config for errors';
}

/** A process may start several sites, or one site several times. */
export function clearCollectionStatuses(): void {
  statuses.clear();
}
