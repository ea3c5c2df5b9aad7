import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The name of a file that is being written: `NAME.UUID.tmp`. */
const TEMPORARY = /^(.*)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/s;

/**
 * Replaces a file atomically, so that a crash leaves the old or the new content: a temporary file is written,
 * synced and renamed. Its name cannot be guessed, and no symbolic link is followed.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = temporaryName(path);
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

/** The same, without letting other code run in between. */
export function writeAtomicallySync(path: string, content: string): void {
  const temporary = temporaryName(path);
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolderSync(dirname(path));
}

function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/**
 * Removes temporary files that crashes left in a folder: those of the files `of`, or all. Never rejects: one that
 * cannot be removed is ignored.
 */
export async function removeLeftovers(folder: string, of?: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, target] = TEMPORARY.exec(name) ?? [];
    if (target === undefined || of?.some((file) => basename(file) === target) === false) continue;
    const path = join(folder, name);
    const isFile = (await lstat(path).catch(() => undefined))?.isFile();
    if (isFile) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Makes a rename durable. Not every system can; the file itself is complete either way. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {}
}

function syncFolderSync(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}
