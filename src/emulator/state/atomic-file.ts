import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The name of a file that is being written: `NAME.UUID.tmp`. */
const TEMPORARY = /^(.*)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/s;

/**
 * Replaces a file atomically, so that a crash leaves the old or the new content: a temporary file is written,
 * synced and renamed. Its name cannot be guessed, and no symbolic link is followed.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  // `wx` is O_CREAT | O_EXCL: it fails if the name exists, even as a dangling link.
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

/** Removes temporary files that crashes left in a folder: those of the files `of`, or all. */
export async function removeLeftovers(folder: string, of?: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, target] = TEMPORARY.exec(name) ?? [];
    if (target === undefined || of?.some((file) => basename(file) === target) === false) continue;
    const path = join(folder, name);
    if ((await lstat(path).catch(() => undefined))?.isFile()) await rm(path, { force: true });
  }
}

/** Makes a rename durable. Not every system can; the file itself is complete either way. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {}
}
