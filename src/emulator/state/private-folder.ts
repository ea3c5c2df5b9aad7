import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';

/**
 * Creates a folder that only this user can access, or accepts an existing one: a real folder (not a link)
 * that this user owns and that no other user can write to. Throws for any other.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const problem = findFolderProblem(path, await lstat(path));
  if (problem) throw new Error(problem.reason);
}

/** Why a folder is not accepted, and how to fix it; `undefined` if it is. `stats` come from `lstat`. */
export function findFolderProblem(path: string, stats: Stats): { reason: string; hint: string } | undefined {
  if (!stats.isDirectory()) {
    const reason = `${path} is ${stats.isSymbolicLink() ? 'a link' : 'a file'}, not a folder`;
    return { reason, hint: 'Remove or rename it: the emulator creates the folder.' };
  }
  // Windows has no owners and modes here.
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
