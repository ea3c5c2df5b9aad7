import { describeMachine, type Machine } from './machine.ts';

export interface EmulatorResults {
  readonly machine: Machine;
  readonly rounds: number;
  /** Milliseconds from the start of a process to the end of its first response. */
  readonly starts: readonly { readonly name: string; readonly ms: number }[];
}

/** The part of RESULTS.md about the start of the emulator. */
export function emulatorSection({ machine, rounds, starts }: EmulatorResults): string {
  const rows = starts.map(({ name, ms }) => `| ${name} | ${Math.round(ms).toLocaleString('en')} ms |`);
  return `## Starting the emulator

From the start of \`luid emulator\` to the end of the first response, beside Node alone: the middle of ${rounds}.
${describeMachine(machine)}

| what | time |
|---|---|
${rows.join('\n')}
`;
}
