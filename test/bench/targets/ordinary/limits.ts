import { median, ratios } from '../target.ts';
import {
  type Activity,
  type CaseName,
  find,
  HAND_WRITTEN,
  type Measured,
  OURS,
  PLAIN_FETCH,
  POCKETBASE,
  SIZES,
  type Size,
  STORYBLOK,
} from './measured.ts';

/** How long astro-luid may take compared with another loader: in time, and in CPU time. */
interface Target {
  readonly activity: Activity;
  readonly name: CaseName;
  readonly against: string;
  /** In the order of `SIZES`. */
  readonly limits: readonly number[];
}

const LOADS = (['load()', 'load() in astro sync'] as const).flatMap((activity): Target[] => [
  { activity, name: 'nothing changed', against: PLAIN_FETCH, limits: [1, 1, 0.3, 0.1] },
  { activity, name: 'one edit', against: PLAIN_FETCH, limits: [1.2, 1.2, 0.5, 0.15] },
  { activity, name: 'cold', against: PLAIN_FETCH, limits: [1.8, 1.8, 2, 1.6] },
  { activity, name: 'cold at 50 ms', against: PLAIN_FETCH, limits: [1.5, 1.5, 1.5, 1.6] },
]);

const BUILDS = (['nothing changed', 'one edit'] as const).flatMap((name) =>
  [HAND_WRITTEN, POCKETBASE].map(
    (against): Target => ({ activity: 'astro build', name, against, limits: [1, 1, 1] }),
  ),
);

const TARGETS: readonly Target[] = [
  ...LOADS.slice(0, 4),
  { activity: 'load()', name: 'cold at 50 ms', against: STORYBLOK, limits: [1.2, 1.2, 1.4, 0.85] },
  ...LOADS.slice(4),
  ...BUILDS,
];

/** The middle of the ratios of all rounds. */
export interface Compared {
  readonly time: number;
  readonly cpu: number;
}

export function compare(a: Measured, b: Measured): Compared {
  return { time: median(ratios(a.ms, b.ms)), cpu: median(ratios(a.cpu, b.cpu)) };
}

export interface Judged extends Compared {
  readonly limit: number;
  readonly isMet: boolean;
}

export interface Row extends Target {
  /** Sizes that were measured. */
  readonly results: { readonly [size in Size]?: Judged };
}

/** Every target with its results. */
export function judgeAll(measured: { readonly [size in Size]?: readonly Measured[] }): Row[] {
  return TARGETS.map((target) => {
    const { activity, name, against, limits } = target;
    const results = SIZES.flatMap((size, index) => {
      const limit = limits[index];
      const [ours, other] = [OURS, against].map((loader) =>
        find(measured[size] ?? [], activity, name, loader),
      );
      if (limit === undefined || !ours || !other) return [];
      const compared = compare(ours, other);
      return [[size, { ...compared, limit, isMet: compared.time <= limit && compared.cpu <= limit }]];
    });
    return { ...target, results: Object.fromEntries(results) };
  });
}
