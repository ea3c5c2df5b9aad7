import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** How a file that is being written is named: `NAME.UUID.tmp`. */
const TEMPORARY = /^(.*)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/s;

/**
 * Writes a file so that it is the old one or the new one at any time, also after a crash: it is
 * complete on the disk before it takes its name. Until then it has a name that nobody can guess, and it
 * is never opened through a link that somebody else put there.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  // `wx` is O_CREAT | O_EXCL: it fails where there is anything of this name, a dangling link too.
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes what crashes left in a folder: of these files, or of all. */
export async function removeLeftovers(folder: string, of?: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, target] = TEMPORARY.exec(name) ?? [];
    if (target === undefined || of?.some((file) => basename(file) === target) === false) continue;
    const path = join(folder, name);
    if ((await lstat(path).catch(() => undefined))?.isFile()) await rm(path, { force: true });
  }
}

/** Makes a new name last. Not every system can; the file itself is sound either way. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {}
}
