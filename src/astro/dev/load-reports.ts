import type { LoaderContext } from 'astro/loaders';
import { errorMessage } from '../../errors.ts';

/** What a loader did last, for the dev server and its toolbar, and for the warnings of a build. */
export interface LoadReport {
  readonly collection: string;
  readonly model: string;
  /** LUID of the sub-space, where the space names one. */
  readonly space?: string | undefined;
  /** The loader was told to read drafts. */
  readonly drafts: boolean;
  /** There are drafts among what was loaded, whatever the loader was told. */
  readonly seesDrafts?: boolean;
  /** The languages read, `undefined` for the main one. Absent: the main language alone. */
  readonly langs?: readonly (string | undefined)[];
  readonly entries: number;
  /** When it last went well: milliseconds since 1970, or 0. */
  readonly at: number;
  /** Made of the last snapshot: the service was unavailable, or was not asked. */
  readonly isStale?: boolean;
  /** The loader has warned of drafts that were not asked for. */
  readonly warnedOfDrafts?: boolean;
  /** Why the last load failed, if it did. */
  readonly problem?: string | undefined;
}

/**
 * Loaders and the integration are run in two module graphs of one process, Astro's and Node's own, so
 * they meet on the global object.
 */
const REPORTS = Symbol.for('astro-luid:loads');

function reports(): Map<string, LoadReport> {
  const shared = globalThis as { [REPORTS]?: Map<string, LoadReport> };
  shared[REPORTS] ??= new Map();
  return shared[REPORTS];
}

/** What reports are told apart by when a site has several spaces. */
interface ReportedSpace {
  readonly models: object;
  readonly settings: {
    readonly space?: string | undefined;
    readonly languages?: { readonly sub?: readonly string[] } | undefined;
  };
}

interface ReportedPlan {
  readonly model: string;
  readonly drafts: boolean;
  readonly lang: string | undefined;
  readonly langs: readonly string[] | undefined;
}

interface Outcome {
  readonly isStale?: boolean;
  readonly warnedOfDrafts?: boolean;
  /** Why the load failed, so that the previous content was kept. */
  readonly problem?: unknown;
}

/** Called by a loader once its collection is in the store, or when it keeps what was there. */
export function reportLoad(
  { settings }: ReportedSpace,
  { model, drafts, lang, langs }: ReportedPlan,
  { collection, store }: Pick<LoaderContext, 'collection' | 'store'>,
  { isStale = false, warnedOfDrafts = false, problem }: Outcome = {},
): void {
  const usesLanguages = lang !== undefined || langs !== undefined;
  const entries = store.values();
  noteLoad({
    collection,
    model,
    space: settings.space,
    drafts,
    seesDrafts: entries.some(({ data }) => data._status === 'draft'),
    langs: [undefined, ...(usesLanguages ? (settings.languages?.sub ?? []) : [])],
    entries: entries.length,
    isStale,
    warnedOfDrafts,
    at: problem === undefined ? Date.now() : (reports().get(collection)?.at ?? 0),
    problem: problem === undefined ? undefined : errorMessage(problem),
  });
}

export function noteLoad(report: LoadReport): void {
  reports().set(report.collection, report);
}

/** The last load of each collection of a space, in the order of their names. */
export function loadReports({ models, settings }: ReportedSpace): LoadReport[] {
  return [...reports().values()]
    .filter(({ model, space }) => Object.hasOwn(models, model) && space === settings.space)
    .sort((a, b) => (a.collection < b.collection ? -1 : 1));
}

/** Why a refresh that began at that time did not do its work, if it did not. */
export function failureSince(begun: number, reports: readonly LoadReport[]): string | undefined {
  // A loader that goes on with what it had does not fail; but it did not load what changed either.
  const problems = new Set(reports.flatMap(({ problem }) => problem ?? []));
  if (problems.size > 0) return [...problems].join('\n');
  // While its content config is read anew, or is broken, Astro loads nothing and does not say so.
  if (reports.length === 0 || reports.some(({ at }) => at >= begun)) return undefined;
  return 'Astro loaded nothing: see whether the content config is in order';
}

/** Another site may be started in the same process, or the same one again. */
export function clearReports(): void {
  reports().clear();
}
