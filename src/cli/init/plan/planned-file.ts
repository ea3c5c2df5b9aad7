import { join } from 'node:path';
import { readTextFile } from '../read-text-file.ts';
import type { SpaceUpdate } from '../space-file/space-update.ts';
import type { FileToWrite } from '../write-files.ts';

/** A file to write, and how it compares to the existing one. */
export interface PlannedFile extends FileToWrite {
  /** `added to`: lines are added, none removed. `manual`: it cannot be changed, the lines of `manual` must be added. */
  readonly state: 'new' | 'same' | 'added to' | 'different' | 'manual';
  /** Describes the change, for files whose text must not be printed. */
  readonly about?: string | undefined;
  /** For code of the user: the change needs confirmation; if declined, these lines must be added by hand. */
  readonly manual?: ManualChange | undefined;
  /** For a space file that could be compared field by field. */
  readonly update?: SpaceUpdate | undefined;
}

/** Lines that the user has to add. */
export interface ManualChange {
  readonly path: string;
  readonly why: string;
  readonly lines: readonly string[];
}

export function compareWithDisk(folder: string, path: string, text: string): PlannedFile {
  const before = readTextFile(join(folder, path));
  const state = before === undefined ? 'new' : before === text ? 'same' : 'different';
  return { path, text, before, state };
}

/** Plans to add to the text of a file, if there is anything to add. */
export function planAddition(path: string, before: string, text: string, about?: string): PlannedFile {
  return { path, text, before, about, state: text === before ? 'same' : 'added to' };
}

export function planManual(manual: ManualChange): PlannedFile {
  return { path: manual.path, text: '', before: undefined, state: 'manual', manual };
}
