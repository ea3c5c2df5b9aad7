import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LuidConfigError } from '../../errors.ts';

export interface FileToWrite {
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
  /** Contains a key: readable by the current user only, even if the file existed with another mode. */
  readonly secret?: boolean | undefined;
}

/**
 * Writes all files or none: all are written to temporary files before the first is renamed. Synchronous, so that
 * no signal handler runs in between.
 */
export function writeFiles(folder: string, files: readonly FileToWrite[]): void {
  const staged: { temporary: string; path: string }[] = [];
  const createdFolders: string[] = [];
  try {
    for (const file of files) {
      const path = resolveLink(join(folder, file.path));
      const first = mkdirSync(dirname(path), { recursive: true });
      if (first !== undefined) createdFolders.push(first);
      const temporary = `${path}.${process.pid}.tmp`;
      staged.push({ temporary, path });
      writeDurably(temporary, file.text, modeOf(path, file));
    }
    for (const { temporary, path } of staged) renameSync(temporary, path);
  } catch (cause) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const path of createdFolders.toReversed()) rmSync(path, { recursive: true, force: true });
    throw new LuidConfigError(`Cannot write the files: ${(cause as Error).message}`, {
      hint: 'Nothing was changed. Pass another folder as --dir DIR, or make this one writable.',
      cause,
    });
  }
}

/** Writes through a symbolic link instead of replacing it. */
function resolveLink(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function modeOf(path: string, { secret }: FileToWrite): number {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new Error(`${path} is a folder`);
  if (secret) return 0o600;
  return existing ? existing.mode & 0o777 : 0o666;
}

function writeDurably(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
