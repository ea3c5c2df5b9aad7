import { describeMachine, type Machine } from '../machine.ts';
import type { LoadProfile } from '../peers/load-child.ts';
import { megabytes, milliseconds } from './target.ts';

/** The profile of a load that a target measures. */
export interface TargetProfile extends LoadProfile {
  readonly what: string;
  readonly ms: number;
}

export interface TargetProfiles {
  readonly machine: Machine;
  readonly profiles: readonly TargetProfile[];
}

/** The part of RESULTS.md that tells where the time of single loads goes. */
export function profilesSection({ machine, profiles }: TargetProfiles): string {
  const names = [...new Set(profiles.flatMap(({ areas }) => areas.map(([area]) => area)))];
  const timeIn = ({ areas }: TargetProfile, name: string) => areas.find(([area]) => area === name)?.[1] ?? 0;
  const row = (name: string, cell: (profile: TargetProfile) => string) =>
    `| ${[name, ...profiles.map(cell)].join(' | ')} |`;
  return `### Where the time of these loads goes

One load of each under a CPU profiler, which makes it slower. ${describeMachine(machine)}

${row('', ({ what }) => what)}
|${'---|'.repeat(profiles.length + 1)}
${row('time', ({ ms }) => milliseconds(ms))}
${names.map((name) => row(name, (profile) => milliseconds(timeIn(profile, name)))).join('\n')}
${row('memory at its peak: V8’s heap', ({ memory }) => megabytes(memory.heap))}
${row('memory at its peak: buffers', ({ memory }) => megabytes(memory.external))}
`;
}
