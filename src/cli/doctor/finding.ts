import type { Assumptions } from '../../emulator/index.ts';
import type { Examined } from './examined.ts';

export const VERDICTS = ['as assumed', 'differs', 'cannot be seen'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What one check found. Its strings are printed and written to the report, so they consist of fixed words and numbers:
 * never of content, keys, titles, LUIDs or URLs.
 */
export interface Finding {
  readonly verdict: Verdict;
  /** What was seen, or why nothing could be. */
  readonly evidence: string;
  /** Of a difference: the emulator's switch or the option that matches the service. */
  readonly setting?: string | undefined;
}

export interface Check {
  readonly name: string;
  /** What this package assumes about the service, as the emulator does by default. */
  readonly assumption: string;
  /** What a difference means for builds. */
  readonly effect: string;
  /** The emulator's assumptions that it is about. */
  readonly switches?: readonly (keyof Assumptions)[];
  find(examined: Examined): Finding | Promise<Finding>;
}

export const asAssumed = (evidence: string): Finding => ({ verdict: 'as assumed', evidence });

export const differs = (evidence: string, setting?: string): Finding => ({
  verdict: 'differs',
  evidence,
  setting,
});

export const cannotBeSeen = (evidence: string): Finding => ({ verdict: 'cannot be seen', evidence });

/** The switch of the emulator that makes it behave like the service. */
export function emulate<N extends keyof Assumptions>(name: N, value: Assumptions[N]): string {
  return `emulator: assumptions { ${name}: ${typeof value === 'string' ? `'${value}'` : value} }`;
}
