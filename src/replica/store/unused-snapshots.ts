import type { Storage } from 'unstorage';

const DAY = 24 * 60 * 60 * 1000;
/** Days. What was not stored for so long is of a rotated key or of a language that is not used any more. */
const KEPT_FOR = 30;
/** `v5:{snapshot}:manifest:{generation}-{site}-{day}-{random}` */
const SNAPSHOT_KEY = /^v(\d+):[0-9a-f]{40}:/;

/** The day of a time, for the names of manifests. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/** The day at which a manifest was stored, by its name. */
export function dayIn(name: string): number {
  return Number.parseInt(name.split('-')[2] ?? '', 10) || 0;
}

/** Whether a manifest was not replaced for so long that nobody uses it any more. */
export function isUnused(name: string, now: number): boolean {
  return dayIn(name) < dayOf(now) - KEPT_FOR;
}

/**
 * Removes snapshots of older formats, and those that nobody stored for 30 days. It lists the whole storage, so it is
 * done once a day. Other keys of the storage, and newer formats, are left alone.
 */
export async function removeUnusedSnapshots(storage: Storage, version: number, now: number): Promise<void> {
  const snapshots = Map.groupBy(await storage.getKeys(), (key) => SNAPSHOT_KEY.exec(key)?.[0]);
  for (const [name, keys] of snapshots) {
    const format = Number(SNAPSHOT_KEY.exec(name ?? '')?.[1]);
    const isObsolete = format < version || (format === version && lastDay(keys) < dayOf(now) - KEPT_FOR);
    if (isObsolete) await Promise.all(keys.map((key) => storage.removeItem(key)));
  }
}

/** Without a manifest, the first one is about to be stored. */
function lastDay(keys: readonly string[]): number {
  const days = keys.filter((key) => key.includes(':manifest:')).map(dayIn);
  return days.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...days);
}
