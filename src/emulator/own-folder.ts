import { lstat, mkdir } from 'node:fs/promises';

/**
 * Makes a folder that only this user may enter, or accepts one that is there: a real folder (not a link
 * to one) of this user that nobody else can write to. Throws what is wrong with any other.
 */
export async function ensureOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new Error(`${path} is a link, not a folder`);
  // Windows has neither owners nor modes here.
  const user = process.getuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) throw new Error(`${path} belongs to another user (uid ${stats.uid})`);
  if ((stats.mode & 0o022) !== 0) throw new Error(`${path} can be written by other users`);
}
