import type { RedirectedRoute } from './redirect-options.ts';

/** The URLs that content has and had, by route. Paths are as people read them, without `base`. */
export interface RedirectRecord {
  readonly routes: Readonly<Record<string, RecordedRoute>>;
}

export interface RecordedRoute {
  /** By entry: a content id, with a language if the route shows several. */
  readonly paths: Readonly<Record<string, string>>;
  /** By former path: the entry that had it, and the day on which it was seen to have another. */
  readonly former: Readonly<Record<string, { readonly entry: string; readonly since: string }>>;
}

/** The paths that the entries of a route have now. */
export interface CurrentRoute extends Pick<RedirectedRoute, 'route' | 'keep'> {
  readonly paths: ReadonlyMap<string, string>;
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly since: string;
}

const DAY = 86_400_000;
const sorted = <T>(map: ReadonlyMap<string, T>) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The record of today, from earlier ones and the current paths. A former path names the entry that had it, so several
 * renames are one redirect; a path that is in use again is none. Equal for equal content.
 */
export function updateRecord(
  known: readonly RedirectRecord[],
  current: readonly CurrentRoute[],
  now: number,
): RedirectRecord {
  const inUse = new Set(current.flatMap(({ paths }) => [...paths.values()]));
  const today = new Date(now).toISOString().slice(0, 10);
  const others = known.flatMap(({ routes }) => Object.entries(routes));
  const routes = new Map(others.filter(([route]) => !current.some((one) => one.route === route)));
  for (const { route, keep, paths } of current) {
    const recorded = known.flatMap((record) => record.routes[route] ?? []);
    const former = new Map<string, RecordedRoute['former'][string]>();
    for (const [path, one] of recorded.flatMap((one) => Object.entries(one.former))) {
      const other = former.get(path);
      if (!other || other.since < one.since) former.set(path, one);
    }
    for (const [entry, path] of recorded.flatMap((one) => Object.entries(one.paths))) {
      const moved = paths.get(entry) ?? path;
      if (moved !== path && !former.has(path)) former.set(path, { entry, since: today });
    }
    for (const [path, { since }] of former) {
      if (inUse.has(path) || now - Date.parse(since) > keep + DAY) former.delete(path);
    }
    routes.set(route, { paths: sorted(paths), former: sorted(former) });
  }
  return { routes: sorted(routes) };
}

/** What has to be redirected: former paths of entries that exist. */
export function redirectsOf({ routes }: RedirectRecord): Redirect[] {
  return Object.values(routes).flatMap(({ paths, former }) =>
    Object.entries(former).flatMap(([from, { entry, since }]) => {
      const to = Object.hasOwn(paths, entry) ? paths[entry] : undefined;
      return to === undefined ? [] : [{ from, to, since }];
    }),
  );
}
