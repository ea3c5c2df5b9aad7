import { describeMachine, type Machine } from './machine.ts';

/** Milliseconds of CPU time. */
interface Times {
  readonly clear: number;
  readonly encrypted: number;
}

export interface EncryptionResults {
  readonly machine: Machine;
  readonly rounds: number;
  readonly sizes: readonly {
    readonly count: number;
    readonly cold: Times;
    readonly warm: Times;
    readonly start: Times;
    /** Bytes of the cache. */
    readonly bytes: Times;
  }[];
}

const ms = (time: number) => `${Math.round(time).toLocaleString('en')} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const cells = ({ clear, encrypted }: Times, show: (value: number) => string) =>
  `${show(clear)} | ${show(encrypted)} | ${(encrypted / clear).toFixed(2)}`;

/** The part of RESULTS.md about what it costs to encrypt drafts. */
export function encryptionSection({ machine, rounds, sizes }: EncryptionResults): string {
  const rows = sizes.flatMap(({ count, cold, warm, start, bytes }) => {
    const items = count.toLocaleString('en');
    return [
      `| cold load, ${items} items | ${cells(cold, ms)} |`,
      `| warm load, ${items} items | ${cells(warm, ms)} |`,
      `| start of a server, ${items} items | ${cells(start, ms)} |`,
      `| the cache, ${items} items | ${cells(bytes, mb)} |`,
    ];
  });
  return `## Encrypted drafts

The same content of 2 KB per item, stored as it is for published content and encrypted as for drafts, in turns: the middle of
${rounds} rounds, CPU time without the service. A warm load and the start of a server read all items.
${describeMachine(machine)}

| what | published | drafts | ratio |
|---|---|---|---|
${rows.join('\n')}
`;
}
