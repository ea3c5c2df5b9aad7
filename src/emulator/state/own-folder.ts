import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';

/**
 * Makes a folder that only this user may enter, or accepts one that is there: a real folder (not a link
 * to one) of this user that nobody else can write to. Throws what is wrong with any other.
 */
export async function ensureOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const distrust = distrustFolder(path, await lstat(path));
  if (distrust) throw new Error(distrust.reason);
}

/** Why a folder is not accepted, and what to do; `undefined` if it is. `stats` are those of `lstat`. */
export function distrustFolder(path: string, stats: Stats): { reason: string; hint: string } | undefined {
  if (!stats.isDirectory()) {
    const reason = `${path} is ${stats.isSymbolicLink() ? 'a link' : 'a file'}, not a folder`;
    return { reason, hint: 'Move it away: the emulator makes the folder.' };
  }
  // Windows has neither owners nor modes here.
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (stats.uid !== user) {
    return {
      reason: `${path} belongs to another user (uid ${stats.uid})`,
      hint: `It must belong to the user that runs the emulator (uid ${user}). Run the emulator as uid ${stats.uid}, or change the owner: chown -R ${user} ${JSON.stringify(path)}`,
    };
  }
  if ((stats.mode & 0o022) !== 0) {
    return {
      reason: `${path} can be written by other users`,
      hint: `Only its owner (uid ${user}) may write to it. Run: chmod go-w ${JSON.stringify(path)}`,
    };
  }
  return undefined;
}
