import * as z from 'zod';
import type { ChangeHistory } from './change-history.ts';
import type { Segment } from './segments.ts';

/** Up to which times of the service everything is known. */
export interface Cursor {
  readonly updated: number;
  readonly published: number;
}

export interface StoredModel {
  readonly segments: readonly Segment[];
  /** `null`: unknown, because it was read without the heads. */
  readonly cursor: Cursor | null;
  /** When all of it was read last, by the local clock: only for its age. */
  readonly readAt: number;
}

/** What has to be known of an item to find what refers to it: its id, model and `_created_at`. */
export type Target = readonly [id: number, model: string, createdAt: number];

/** What one sync of the main language changed, for the other languages. */
export interface JournalEntry {
  /** The fingerprint of the journal after it. */
  readonly state: string;
  /** Items that became visible. */
  readonly appeared: readonly Target[];
  /** Items whose data changed. */
  readonly changed: readonly Target[];
  /** Whether content of undeclared models appeared, disappeared or changed. */
  readonly undeclared: boolean;
  /** Whether content of undeclared models became visible of which only the total is known. */
  readonly undeclaredAppeared: boolean;
}

/** The newest changes of the main language. */
export interface Journal {
  /** The fingerprint of the journal before the first entry. */
  readonly start: string;
  readonly entries: readonly JournalEntry[];
}

/** Items with empty references that were read once: what they refer to may have been hidden at that moment. */
export interface Unconfirmed {
  /** The oldest first. The next sync reads them again. */
  readonly items: readonly Target[];
  /** Models with more of them than are kept. */
  readonly models: readonly string[];
}

export interface StoredFacts {
  readonly hash: string;
  /** The fingerprint of the model map: with another, other fields are links. */
  readonly models: string;
}

export interface Manifest {
  /** One more than that of the manifest before: of two manifests, the larger is newer. */
  readonly generation: number;
  /** By model, formats and references: see `storedModelKey`. */
  readonly models: { readonly [name: string]: StoredModel };
  /** The fingerprint of the heads, if the same heads mean that nothing changed. */
  readonly heads: string | null;
  /** How many items have never been published, by the heads. */
  readonly neverPublished: number | null;
  /** Removed items that others may still refer to, until everything is read again. */
  readonly gone: readonly number[];
  /** Referenced content of undeclared models that exists in this language. */
  readonly undeclared: readonly number[];
  /** Of another language: such content that exists in the main one only. */
  readonly undeclaredInMain: readonly number[];
  /** Referenced ids that were looked up and were not there, or not yet at the heads: looked up again by the next sync. */
  readonly undeclaredMissing: readonly number[];
  /** How much content undeclared models have; `null` if unknown or irrelevant. */
  readonly undeclaredTotal: number | null;
  /** Alternative texts that were seen last, by media URL, while other items may still have an older one. */
  readonly alts: { readonly [url: string]: string };
  /** Whether the last full read was conclusive; if not, the next sync is a full one. */
  readonly settled: boolean;
  readonly unconfirmed: Unconfirmed;
  /** Of the main language: what it changed, for the others. */
  readonly journal: Journal;
  /** Of another language: the fingerprint of the main language's journal when this language was synced last. */
  readonly follows: string | null;
  /** The last changes, for readers of an earlier state. */
  readonly history: ChangeHistory;
  /** Where the facts about the items of all segments are stored. */
  readonly facts: StoredFacts | null;
  /**
   * Segments that were stored at the time of this commit and that it does not name: of the state before, which a
   * reader may still be reading, or of a writer that was overtaken or ended. The next commit removes them.
   */
  readonly leaving: readonly string[];
}

const place = z.object({ time: z.number(), id: z.int() });
const HASH = /^[0-9a-f]{64}$/;
const hash = z.string().regex(HASH);
const cursor = z.object({ updated: z.number(), published: z.number() });
const target = z.tuple([z.int(), z.string(), z.number()]);
const targets = z.array(target);
/** How a journal entry stores `undeclaredAppeared`: as a target that no item can be. */
const ANY_UNDECLARED: Target = [-1, '', 0];
const journalEntry = z
  .object({ state: z.string(), appeared: targets, changed: targets, undeclared: z.boolean() })
  .transform(({ appeared, ...entry }) => {
    const known = appeared.filter(([id]) => id !== ANY_UNDECLARED[0]);
    return { ...entry, appeared: known, undeclaredAppeared: known.length < appeared.length };
  });
const schema: z.ZodType<Manifest, unknown> = z.object({
  generation: z.int().nonnegative(),
  models: z.record(
    z.string(),
    z.object({
      segments: z.array(z.object({ hash, count: z.int().positive(), first: place, last: place })),
      cursor: cursor.nullable(),
      readAt: z.number(),
    }),
  ),
  heads: z.string().nullable(),
  neverPublished: z.int().nullable(),
  gone: z.array(z.int()),
  undeclared: z.array(z.int()),
  undeclaredInMain: z.array(z.int()),
  undeclaredMissing: z.array(z.int()).default([]),
  undeclaredTotal: z.int().nullable(),
  alts: z.record(z.string(), z.string()),
  settled: z.boolean(),
  unconfirmed: z.object({ items: targets, models: z.array(z.string()) }),
  journal: z.object({
    start: z.string(),
    entries: z.array(journalEntry),
  }),
  follows: z.string().nullable(),
  // Absent in caches of earlier versions.
  history: z
    .object({
      start: z.string().nullable(),
      steps: z.array(z.object({ to: z.string(), ids: z.array(z.int()) })),
    })
    .default({ start: null, steps: [] }),
  facts: z.object({ hash, models: z.string() }).nullable().default(null),
  leaving: z.array(hash),
});

/** Whether a name is that of a segment. */
export function isHash(name: string): boolean {
  return HASH.test(name);
}

/** The manifest as text, to be signed. */
export function formatManifest(manifest: Manifest): string {
  return JSON.stringify({ ...manifest, journal: storedJournal(manifest.journal) });
}

/** The manifest, or `undefined` if the text is not one. */
export function parseManifest(text: string): Manifest | undefined {
  return schema.safeParse(parseJson(text)).data;
}

/** A signed manifest is its signature, a line break and its text. */
export function splitSigned(signed: string): { readonly signature: string; readonly text: string } {
  const end = signed.indexOf('\n');
  return { signature: signed.slice(0, Math.max(0, end)), text: signed.slice(end + 1) };
}

/** What the key of the signature is derived for. */
export const SIGNING_PURPOSE = 'astro-luid cache manifest';

/** What is signed. `identity` names the snapshot, so that a manifest of another one does not pass for it. */
export function signedText(identity: string, text: string): string {
  return `${identity}\n${text}`;
}

function storedJournal({ start, entries }: Journal) {
  return {
    start,
    entries: entries.map(({ state, appeared, changed, undeclared, undeclaredAppeared }) => ({
      state,
      appeared: undeclaredAppeared ? [...appeared, ANY_UNDECLARED] : appeared,
      changed,
      undeclared,
    })),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
