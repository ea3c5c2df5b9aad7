import type { Storage } from 'unstorage';

const DAY = 24 * 60 * 60 * 1000;
/** Older snapshots are of rotated keys or of languages that are no longer used. */
const MAX_AGE_DAYS = 30;
/** `v10:{snapshot}:manifest:{generation}-{map}-{time}-{random}` */
const SNAPSHOT_KEY = /^v(\d+):[0-9a-f]{40}:/;

/** The day of a time. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/** The day on which a manifest was stored, from its name. */
export function dayIn(name: string): number {
  return dayOf(Number.parseInt(name.split('-')[2] ?? '', 10) || 0);
}

/** Whether a manifest was not replaced for so long that it is no longer used. */
export function isUnused(name: string, now: number): boolean {
  return dayIn(name) < dayOf(now) - MAX_AGE_DAYS;
}

/**
 * Removes snapshots of older formats, and those that were not written for 30 days. It lists the whole storage, so call
 * it once a day. Other keys of the storage, and newer formats, are not touched.
 */
export async function removeUnusedSnapshots(storage: Storage, version: number, now: number): Promise<void> {
  const snapshots = Map.groupBy(await storage.getKeys(), (key) => SNAPSHOT_KEY.exec(key)?.[0]);
  for (const [name, keys] of snapshots) {
    const format = Number(SNAPSHOT_KEY.exec(name ?? '')?.[1]);
    const isObsolete = format < version || (format === version && lastDay(keys) < dayOf(now) - MAX_AGE_DAYS);
    if (isObsolete) await Promise.all(keys.map((key) => storage.removeItem(key)));
  }
}

/** Without a manifest, the first one is about to be stored. */
function lastDay(keys: readonly string[]): number {
  const days = keys.filter((key) => key.includes(':manifest:')).map(dayIn);
  return days.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...days);
}
