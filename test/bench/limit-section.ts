import { describe, type Machine } from './machine.ts';

interface Run {
  readonly ms: number;
  readonly peak: number;
}

export interface ReplicaResults {
  readonly machine: Machine;
  /** With nothing changed: 2,000 items and 100,000. */
  readonly warm: { readonly [size in 'few' | 'many']: Run & { segments: number } };
  /** 10,000 items, cold, at 50 ms a request. */
  readonly slow: Run & { readonly requests: number; readonly ideal: number; readonly pages: number };
  /** Cold, 10,000 items of 2 KB and 100,000. */
  readonly growth: { readonly [size in 'small' | 'large']: Run & { raw: number } };
}

export interface OverheadResults {
  readonly machine: Machine;
  readonly sizes: { readonly size: number; readonly ours: number; readonly trivial: number }[];
}

const ratio = (a: number, b: number) => (a / b).toFixed(2);
const ms = (time: number) => `${Math.round(time).toLocaleString('en')} ms`;
const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;

/** How far from what is possible. */
export function limitSection({ machine, warm, slow, growth }: ReplicaResults, overhead?: OverheadResults) {
  const { few, many } = warm;
  const { small, large } = growth;
  const rows = [
    row(
      'cold, 10,000 items: requests against pages',
      slow.pages,
      slow.requests,
      ratio(slow.requests, slow.pages),
      '–',
    ),
    row(
      'cold, 10,000 items at 50 ms: pages × latency ÷ requests at once',
      ms(slow.ideal),
      ms(slow.ms),
      ratio(slow.ms, slow.ideal),
      '2 (aim 1.4)',
    ),
    row(
      'nothing changed: time with 100,000 items against 2,000',
      ms(few.ms),
      ms(many.ms),
      ratio(many.ms, few.ms),
      '1.3',
    ),
    row(
      'nothing changed: memory with 100,000 items against 2,000',
      `${(few.peak / 1e6).toFixed(1)} MB`,
      `${(many.peak / 1e6).toFixed(1)} MB`,
      ratio(many.peak, few.peak),
      '1.3',
    ),
    row('nothing changed: segments of the cache that are read', 0, many.segments, '–', '0'),
    row(
      'cold: time for 100,000 items of 2 KB against 10,000',
      ms(small.ms),
      ms(large.ms),
      ratio(large.ms, small.ms),
      '11',
    ),
    row(
      'cold: peak memory against raw JSON, 100,000 items',
      `${(large.raw / 1e6).toFixed(0)} MB`,
      `${(large.peak / 1e6).toFixed(0)} MB`,
      ratio(large.peak, large.raw),
      '3',
    ),
    ...(overhead?.sizes ?? []).map(({ size, ours, trivial }) =>
      row(
        `warm \`astro sync\` of ${size.toLocaleString('en')} entries against a loader that has them in memory`,
        ms(trivial),
        ms(ours),
        ratio(ours, trivial),
        '1.15',
      ),
    ),
  ];
  return `## How far from the limit

${describe(machine)}

| what | ideal, or the other | ours | ratio | limit |
|---|---|---|---|---|
${rows.join('\n')}

${PROSE}`;
}

const PROSE = `What keeps the cold read from the ideal: it asks in rounds. The heads come first, so that whatever is edited later is
known to be later; then the first pages of each model, which tell how many there are; the others, 16 at a time; and the
heads once more. Three rounds besides those of the pages, and the time to read the JSON. Asked together, two of them
would be one, and an edit between their answers could be lost: not worth 50 ms a day.

With nothing changed, the cost of a warm \`astro sync\` over a loader that does nothing is that of loading this package
through Vite (a quarter of a second), not of the content.
`;
