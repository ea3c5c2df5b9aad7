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
  /** Holds a key: readable by this user only, also if the file existed with another mode. */
  readonly secret?: boolean | undefined;
}

/**
 * Writes all files or none: each is complete beside its place before the first takes its name. Nothing
 * here waits, so that no signal comes between.
 */
export function writeFiles(folder: string, files: readonly FileToWrite[]): void {
  const staged: { temporary: string; path: string }[] = [];
  const made: string[] = [];
  try {
    for (const file of files) {
      const path = targetOf(join(folder, file.path));
      const first = mkdirSync(dirname(path), { recursive: true });
      if (first !== undefined) made.push(first);
      const temporary = `${path}.${process.pid}.tmp`;
      staged.push({ temporary, path });
      writeWhole(temporary, file.text, modeOf(path, file));
    }
    for (const { temporary, path } of staged) renameSync(temporary, path);
  } catch (cause) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    throw new LuidConfigError(`The files cannot be written: ${(cause as Error).message}`, {
      hint: 'Nothing was changed. Choose another folder by --dir DIR, or make this one writable.',
      cause,
    });
  }
}

/** What a link points to is written, and the link stays one. */
function targetOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function modeOf(path: string, { secret }: FileToWrite): number {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new Error(`${path} is a folder`);
  if (secret) return 0o600;
  return existing ? existing.mode & 0o777 : 0o666;
}

function writeWhole(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
