import { entriesSince } from '../store/journal.ts';
import type { Journal, Manifest, Target } from '../store/manifest.ts';

/** What the main language changed since this language was synced with it. */
export interface MainChanges {
  /** Whether the journal reaches back that far. */
  readonly areKnown: boolean;
  /** Items that became visible. */
  readonly appeared: readonly Target[];
  /** Items whose data changed. */
  readonly changed: readonly Target[];
  /** Content of undeclared models appeared, disappeared or changed, or may have. */
  readonly undeclared: boolean;
  /** Content of undeclared models became visible, and it is unknown which. */
  readonly undeclaredAppeared: boolean;
}

const NONE: MainChanges = {
  areKnown: true,
  appeared: [],
  changed: [],
  undeclared: false,
  undeclaredAppeared: false,
};

/** `journal` is the main language's; absent for the main language itself. */
export function mainChanges({ generation, follows }: Manifest, journal: Journal | undefined): MainChanges {
  if (!journal || generation === 0) return NONE;
  const entries = follows === null ? undefined : entriesSince(journal, follows);
  if (!entries) return { ...NONE, areKnown: false, undeclared: true };
  return {
    areKnown: true,
    appeared: entries.flatMap(({ appeared }) => appeared),
    changed: entries.flatMap(({ changed }) => changed),
    undeclared: entries.some(({ undeclared }) => undeclared),
    undeclaredAppeared: entries.some(({ undeclaredAppeared }) => undeclaredAppeared),
  };
}

export function isEmpty({ appeared, changed, undeclared, undeclaredAppeared }: MainChanges): boolean {
  return appeared.length + changed.length === 0 && !undeclared && !undeclaredAppeared;
}
