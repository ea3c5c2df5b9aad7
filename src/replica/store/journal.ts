import { randomBytes } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { Journal, JournalEntry, Target } from './manifest.ts';
import { hashOf } from './segments.ts';

/** Kept in the manifest, which every build reads. A language that is further behind is read in full. */
const MAX_TARGETS = 1000;

/** What a target is made of. */
export type TargetItem = Pick<WireContent, '_id' | '_model' | '_created_at'>;

export function targetOf(item: TargetItem): Target {
  return [item._id, item._model, Math.max(0, timeOf(item as WireContent, '_created_at'))];
}

/** The start is random, so that unrelated journals never have the same fingerprint. */
export function startJournal(): Journal {
  return { start: randomBytes(9).toString('base64url'), entries: [] };
}

/** Identifies what a journal has recorded so far. */
export function journalFingerprint({ start, entries }: Journal): string {
  return entries.at(-1)?.state ?? start;
}

/**
 * Adds an entry, and removes the oldest ones if the journal gets too long. The fingerprint covers the one before, what
 * changed and the content after it: two builds that see the same change at once get the same one, and histories that
 * diverge (a restored cache) do not.
 */
export function append(journal: Journal, changes: Omit<JournalEntry, 'state'>, content: string): Journal {
  const { appeared, changed, undeclared, undeclaredAppeared } = changes;
  if (appeared.length + changed.length === 0 && !undeclared && !undeclaredAppeared) return journal;
  const state = hashOf(JSON.stringify([journalFingerprint(journal), changes, content])).slice(0, 16);
  const entries = [...journal.entries, { state, ...changes }];
  let { start } = journal;
  let size = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  while (size > MAX_TARGETS) {
    const oldest = entries.shift() as JournalEntry;
    start = oldest.state;
    size -= sizeOf(oldest);
  }
  return { start, entries };
}

/** What changed since a fingerprint; `undefined` if the journal does not reach back to it. */
export function entriesSince(journal: Journal, state: string): readonly JournalEntry[] | undefined {
  if (state === journal.start) return journal.entries;
  const index = journal.entries.findIndex((entry) => entry.state === state);
  return index === -1 ? undefined : journal.entries.slice(index + 1);
}

function sizeOf({ appeared, changed }: JournalEntry): number {
  return 1 + appeared.length + changed.length;
}
