import { describeMachine, type Machine } from '../machine.ts';
import type { TargetResult } from './target.ts';

/** Results by benchmark. Each may have been measured at another time. */
export interface TargetsResults {
  readonly [benchmark: string]: { readonly machine: Machine; readonly targets: readonly TargetResult[] };
}

/** The part of RESULTS.md that lists every target with its result. */
export function targetsSection(results: TargetsResults): string {
  const all = Object.values(results);
  const rows = all.flatMap(({ targets }) =>
    targets.map(
      ({ what, measured, target, isMet, rounds, figures }) =>
        `| ${what} | ${measured} | ${target} | ${isMet ? 'met' : '**missed**'} | ${rounds} | ${figures} |`,
    ),
  );
  const machines = [...new Set(all.map(({ machine }) => describeMachine(machine)))];
  return `## Targets

What is compared is measured in turn in one run; the value is the middle of all rounds. CPU time is user and system time.
${machines.join('\n')}

| what | measured | target | | rounds | figures |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
