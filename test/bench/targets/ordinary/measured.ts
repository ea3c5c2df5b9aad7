import type { Machine } from '../../machine.ts';

/** Items of a site. The last one is only measured with --sizes. */
export const SIZES = [200, 1_000, 10_000, 100_000] as const;
export type Size = (typeof SIZES)[number];

export const OURS = 'astro-luid';
/** Thirty lines of `fetch`: requests all pages at once and stores the items as they are. */
export const PLAIN_FETCH = 'plain fetch';
export const HAND_WRITTEN = 'hand-written';
export const POCKETBASE = 'astro-loader-pocketbase';
export const STORYBLOK = 'astro-loader-storyblok';

/** `load()` alone in a new process, the same in a real `astro sync`, and a whole build. */
export type Activity = 'load()' | 'load() in astro sync' | 'astro sync' | 'astro build';
export const CASES = ['cold', 'cold at 50 ms', 'nothing changed', 'one edit'] as const;
export type CaseName = (typeof CASES)[number];

/** What one loader used for one thing, in each round. Values of the same round are compared. */
export interface Measured {
  readonly activity: Activity;
  readonly name: CaseName;
  readonly loader: string;
  readonly ms: number[];
  /** Milliseconds of CPU time, user and system. */
  readonly cpu: number[];
}

/** results/ordinary.json: each size may have been measured at another time. */
export type OrdinaryResults = {
  readonly [size in Size]?: { readonly machine: Machine; readonly measured: readonly Measured[] };
};

/** Collects measured values. */
export class Measurements {
  readonly all: Measured[] = [];

  add(what: Pick<Measured, 'activity' | 'name' | 'loader'>, { ms, cpu }: { ms: number; cpu: number }): void {
    let measured = find(this.all, what.activity, what.name, what.loader);
    if (!measured) {
      measured = { ...what, ms: [], cpu: [] };
      this.all.push(measured);
    }
    measured.ms.push(ms);
    measured.cpu.push(cpu);
  }
}

export function find(
  all: readonly Measured[],
  activity: Activity,
  name: CaseName,
  loader: string,
): Measured | undefined {
  return all.find((one) => one.activity === activity && one.name === name && one.loader === loader);
}
