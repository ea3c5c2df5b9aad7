/** One change of a replica. */
export interface HistoryChange {
  /** The fingerprint of the replica after it. */
  readonly to: string;
  /** Content IDs of what was added, changed or removed, and keys of media: see `mediaKey`. */
  readonly ids: readonly number[];
}

/** The last changes of a replica, so that a reader of an earlier state knows what to look at again. */
export interface ChangeHistory {
  /** The fingerprint of the replica before the first step; `null` if nothing is known. */
  readonly start: string | null;
  readonly steps: readonly HistoryChange[];
}

export const NO_HISTORY: ChangeHistory = { start: null, steps: [] };

/** Kept in the manifest, which every build reads. A reader that is further behind looks at everything. */
const MAX_IDS = 2000;

/**
 * Adds a step. Starts over if the history does not end where the step begins, or the step is too large or unknown:
 * without ids.
 */
export function recordStep(
  history: ChangeHistory,
  from: string,
  { to, ids }: Pick<HistoryChange, 'to'> & { readonly ids: HistoryChange['ids'] | undefined },
): ChangeHistory {
  if (from === to) return history;
  if (!ids || ids.length > MAX_IDS) return { start: to, steps: [] };
  const end = history.steps.at(-1)?.to ?? history.start;
  const steps = [...(end === from ? history.steps : []), { to, ids }];
  let start = end === from ? history.start : from;
  let size = steps.reduce((sum, step) => sum + 1 + step.ids.length, 0);
  while (size > MAX_IDS) {
    const oldest = steps.shift() as HistoryChange;
    start = oldest.to;
    size -= 1 + oldest.ids.length;
  }
  return { start, steps };
}

/** What changed since a fingerprint; `undefined` if the history does not reach back to it. */
export function changesSince({ start, steps }: ChangeHistory, fingerprint: string): Set<number> | undefined {
  const index = steps.findLastIndex(({ to }) => to === fingerprint);
  if (index === -1 && fingerprint !== start) return undefined;
  return new Set(steps.slice(index + 1).flatMap(({ ids }) => ids));
}
