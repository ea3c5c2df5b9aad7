import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { LuidConfigError, LuidError } from '../../shared/errors.ts';

export interface FileToWrite {
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
  /** What the file contained when `text` was made from it; `undefined` if it did not exist. */
  readonly before: string | undefined;
  /** Contains a key: readable by the current user only, even if the file existed with another mode. */
  readonly secret?: boolean | undefined;
}

interface StagedFile {
  readonly path: string;
  readonly temporary: string;
  /** The file as it was, if it existed. */
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
}

/**
 * Writes all files or none: all are written to temporary files before the first is renamed, and if a rename fails, the
 * files that were replaced are restored. A file that is not as it was `before` is not replaced. Synchronous, so that no
 * signal handler runs in between.
 */
export function writeFiles(folder: string, files: readonly FileToWrite[], rename = renameSync): void {
  const staged: StagedFile[] = [];
  const createdFolders: string[] = [];
  const replaced: StagedFile[] = [];
  try {
    for (const file of files) {
      const path = resolveLink(join(folder, file.path));
      const first = mkdirSync(dirname(path), { recursive: true });
      if (first !== undefined) createdFolders.push(first);
      const before = readExisting(path);
      refuseChanged(file, before);
      const temporary = `${path}.${process.pid}.tmp`;
      staged.push({ path, temporary, before });
      writeDurably(temporary, file.text, file.secret ? 0o600 : (before?.mode ?? 0o666));
    }
    for (const file of staged) {
      rename(file.temporary, file.path);
      replaced.push(file);
    }
  } catch (cause) {
    const changed = replaced.filter((file) => !restore(file, rename)).map(({ path }) => path);
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const created of createdFolders.toReversed()) {
      if (changed.some((path) => path.startsWith(created + sep))) continue;
      rmSync(created, { recursive: true, force: true });
    }
    if (LuidError.is(cause)) throw cause;
    const result =
      changed.length === 0
        ? 'Nothing was changed.'
        : `These were written, and could not be restored: ${changed.map((path) => relative(folder, path)).join(', ')}.`;
    throw new LuidConfigError(`Cannot write the files: ${(cause as Error).message}`, {
      hint: `${result} Pass another folder as --dir DIR, or make this one writable.`,
      cause,
    });
  }
}

/** The user may have edited the file, or another program created it, while a prompt was open. */
function refuseChanged({ path, before }: FileToWrite, existing: StagedFile['before']): void {
  const isSame = existing
    ? before !== undefined && existing.content.equals(Buffer.from(before))
    : before === undefined;
  if (isSame) return;
  throw new LuidConfigError(`${path} was changed while luid init was running`, {
    hint: 'Nothing was written. Run luid init again.',
  });
}

/** Returns whether the file is as it was before. */
function restore({ path, temporary, before }: StagedFile, rename: typeof renameSync): boolean {
  try {
    if (before) {
      writeDurably(temporary, before.content, before.mode);
      chmodSync(temporary, before.mode);
      rename(temporary, path);
    } else rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Writes through a symbolic link instead of replacing it. */
function resolveLink(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function readExisting(path: string): StagedFile['before'] {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new Error(`${path} is a folder`);
  return existing && { content: readFileSync(path), mode: existing.mode & 0o777 };
}

function writeDurably(path: string, content: string | Buffer, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
