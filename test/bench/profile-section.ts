import { describeMachine, type Machine } from './machine.ts';

export interface ProfileResults {
  readonly machine: Machine;
  readonly size: number;
  /** Milliseconds of the whole command, with the profiler running. */
  readonly ms: number;
  /** The largest first. */
  readonly areas: readonly (readonly [area: string, ms: number])[];
}

/** The part of RESULTS.md about the profile. */
export function profileSection({ machine, size, ms, areas }: ProfileResults): string {
  const sum = areas.reduce((all, [, time]) => all + time, 0);
  const rows = areas.map(
    ([area, time]) => `| ${area} | ${(time / 1000).toFixed(1)} s | ${Math.round((time / sum) * 100)} % |`,
  );
  return `## Where the time goes

A cold \`astro sync\` of ${size.toLocaleString('en')} entries of 1.8 KB, without latency, under a CPU profiler: ${(ms / 1000).toFixed(1)} s. ${describeMachine(machine)}

| area | time | share |
|---|---|---|
${rows.join('\n')}

${OPTIMISATIONS}
`;
}

const OPTIMISATIONS = `Optimisations of the three largest areas of our own code:

1. **Entries.** An item is validated once, however many entries embed it, and all of them embed the same object. Times in
   the service's format are recognised by one pattern and parsed with \`Date.parse\`. Only fields that can contain
   references or media are searched for them.
2. **Requests.** The first pages of all models are requested at once. They contain the totals, so that all other pages
   follow, up to 16 in parallel. Each item is sent once, at \`depth=0\`, and parsed once.
3. **Cache on disk.** Items are encoded once, in segments of about 250, which are written in parallel. Only segments
   with changes are written again; with nothing changed, none is read.

The largest area is Astro's own store, which is the same for every loader. Garbage collection depends on the memory that
all areas allocate.`;
