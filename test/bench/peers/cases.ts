import type { Change } from './dataset.ts';

/** What happened since the last load. */
export interface Case {
  readonly name: CaseName;
  /** There is no store or cache from an earlier load. */
  readonly cold?: boolean;
  /** The change made by an editor, given the next article and author that are not changed yet. */
  readonly change?: (article: number, author: number) => Change;
  readonly configChanged?: boolean;
  /** The status of the response to the first request. */
  readonly fault?: number;
  /** Milliseconds per response, instead of those of the setup. */
  readonly latency?: number;
}

export const CASE_NAMES = [
  'cold',
  'nothing changed',
  'one edit',
  'one deletion',
  'referenced entry edited',
  'Astro config changed',
  'one 429',
  'one 500',
] as const;

export type CaseName = (typeof CASE_NAMES)[number];

const edit = (article: number): Change => ({ edit: article });

export const CASES: readonly Case[] = [
  { name: 'cold', cold: true },
  { name: 'nothing changed' },
  { name: 'one edit', change: edit },
  { name: 'one deletion', change: (article) => ({ remove: article }) },
  { name: 'referenced entry edited', change: (_, author) => ({ rename: author }) },
  { name: 'Astro config changed', configChanged: true },
  { name: 'one 429', change: edit, fault: 429 },
  { name: 'one 500', change: edit, fault: 500 },
];

/** The cases whose result depends on the number of entries. */
export const CASES_FOR_LARGE_SPACES: readonly Case[] = CASES.slice(0, 2);

export const COLD: readonly Case[] = CASES.slice(0, 1);
