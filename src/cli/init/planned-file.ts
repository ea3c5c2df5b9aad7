import type { SpaceUpdate } from './space-update.ts';
import type { FileToWrite } from './write-files.ts';

/** A file to write, and how it compares to the existing one. */
export interface PlannedFile extends FileToWrite {
  /** `added to`: lines are added, none removed. */
  readonly state: 'new' | 'same' | 'added to' | 'different';
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
