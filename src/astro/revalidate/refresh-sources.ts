import type { LiveChange, LiveSource } from '../live/live-sources.ts';

/** Checks live sources for changes. Throws if one fails, after the others are done. */
export async function refreshSources(sources: readonly LiveSource[]): Promise<LiveChange> {
  const results = await Promise.allSettled(sources.map(async (source) => source.refresh()));
  const changes = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const sum = (count: 'added' | 'changed' | 'removed') =>
    changes.reduce((total, change) => total + change[count], 0);
  return {
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
    tags: [...new Set(changes.flatMap(({ tags }) => tags))],
  };
}
