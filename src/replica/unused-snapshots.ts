import type { Storage } from 'unstorage';

const DAY = 24 * 60 * 60 * 1000;
/** A snapshot that nobody used for this long is of a rotated key, a language or a version that is not used any more. */
const KEPT_FOR = 30 * DAY;
const USED = 'used';
/** Snapshots of every format version. */
const SNAPSHOT_KEY = /^(v\d+:[0-9a-f]{40}):/;

/**
 * Notes that a snapshot is in use, and removes those that have not been for 30 days; at most once a day, because it
 * lists the whole storage. Other keys of the storage are left alone.
 */
export async function removeUnusedSnapshots(storage: Storage, current: string, now: number): Promise<void> {
  const used = await readUsed(storage);
  if (now - (used.get(current) ?? 0) < DAY) return;
  const keys = Map.groupBy(await storage.getKeys(), (key) => SNAPSHOT_KEY.exec(key)?.[1]);
  keys.delete(undefined);
  for (const name of used.keys()) if (name !== undefined && !keys.has(name)) used.delete(name);
  // A time in the future is of a clock that was wrong.
  for (const name of keys.keys()) used.set(name as string, Math.min(now, used.get(name as string) ?? now));
  used.set(current, now);
  for (const [name, time] of used) {
    if (now - time <= KEPT_FOR) continue;
    await Promise.all((keys.get(name) ?? []).map((key) => storage.removeItem(key)));
    used.delete(name);
  }
  await storage.setItem(USED, Object.fromEntries(used));
}

/** When each snapshot was used last. */
async function readUsed(storage: Storage): Promise<Map<string, number>> {
  const stored: unknown = await storage.getItem(USED).catch(() => null);
  if (typeof stored !== 'object' || stored === null) return new Map();
  return new Map(
    Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
