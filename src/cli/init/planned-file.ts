import type { SpaceUpdate } from './space-update.ts';
import type { FileToWrite } from './write-files.ts';

/** A file as it would be written, and how that compares to what exists. */
export interface PlannedFile extends FileToWrite {
  /** `added to`: it gains lines and loses none. */
  readonly state: 'new' | 'same' | 'added to' | 'different';
  readonly before?: string | undefined;
  /** What would change, where the text itself must not be shown. */
  readonly about?: string | undefined;
  /** Code of the user's: the change is shown and asked for on its own. Declined, these lines are to be added by hand. */
  readonly manual?: ManualChange | undefined;
  /** Of a space file that could be compared field by field. */
  readonly update?: SpaceUpdate | undefined;
}

/** Lines that the user has to add. */
export interface ManualChange {
  readonly path: string;
  readonly why: string;
  readonly lines: readonly string[];
}
