/** What one change of a replica added, changed and removed, by content ID. */
export interface HistoryChanges {
  readonly added: readonly number[];
  /** Also removed items that may still be referred to, when that begins or ends. */
  readonly changed: readonly number[];
  readonly removed: readonly number[];
}

export interface HistoryStep extends HistoryChanges {
  /** The fingerprint of the replica after it. */
  readonly to: string;
}

/**
 * The last changes of a replica, so that a reader of an earlier state knows what to look at again: Astro's store, or
 * another language.
 */
export interface ChangeHistory {
  /** The fingerprint of the replica before the first step; `null` if nothing is known. */
  readonly start: string | null;
  readonly steps: readonly HistoryStep[];
}

export const NO_HISTORY: ChangeHistory = { start: null, steps: [] };

/** Kept in the manifest, which every build reads. A reader that is further behind looks at everything. */
const MAX_IDS = 2000;

/** Adds a step. Starts over if the history does not end where the step begins, or the step is too large or unknown. */
export function recordStep(
  history: ChangeHistory,
  from: string,
  to: string,
  changes: HistoryChanges | undefined,
): ChangeHistory {
  if (from === to) return history;
  const isContinued = from === (history.steps.at(-1)?.to ?? history.start);
  const steps = [...(isContinued ? history.steps : []), ...(changes ? [{ to, ...changes }] : [])];
  let start = isContinued ? history.start : from;
  let size = changes ? steps.reduce((sum, step) => sum + sizeOf(step), 0) : Number.POSITIVE_INFINITY;
  while (size > MAX_IDS && steps.length > 0) {
    const oldest = steps.shift() as HistoryStep;
    start = oldest.to;
    size -= sizeOf(oldest);
  }
  return steps.length > 0 ? { start, steps } : { start: to, steps };
}

function sizeOf({ added, changed, removed }: HistoryStep): number {
  return 1 + added.length + changed.length + removed.length;
}

/** What changed since a fingerprint; `undefined` if the history does not reach back to it. */
export function historySince(
  { start, steps }: ChangeHistory,
  fingerprint: string,
): { readonly [kind in keyof HistoryChanges]: ReadonlySet<number> } | undefined {
  const index = steps.findLastIndex(({ to }) => to === fingerprint);
  if (index === -1 && fingerprint !== start) return undefined;
  const later = steps.slice(index + 1);
  return {
    added: new Set(later.flatMap(({ added }) => added)),
    changed: new Set(later.flatMap(({ changed }) => changed)),
    removed: new Set(later.flatMap(({ removed }) => removed)),
  };
}
