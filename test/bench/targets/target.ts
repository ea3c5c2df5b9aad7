/** One line of the table of targets. */
export interface TargetResult {
  readonly what: string;
  /** The middle of all rounds, such as `1.8×`. */
  readonly measured: string;
  readonly target: string;
  readonly isMet: boolean;
  readonly rounds: number;
  /** Time, CPU time and peak memory of what is compared. */
  readonly figures: string;
}

/** Measures one or more targets that need the same setup. */
export interface TargetBenchmark {
  /** On the command line: `npm run bench -- targets NAME`. */
  readonly name: string;
  run(rounds: number): Promise<TargetResult[]>;
}

/** What a load or a build used. */
export interface Usage {
  readonly ms: number;
  /** Milliseconds of CPU time, user and system. */
  readonly cpu: number;
  /** Bytes. */
  readonly peak: number;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

interface Judged {
  readonly what: string;
  /** One value per round. */
  readonly values: readonly number[];
  readonly limit: number;
  readonly format: (value: number) => string;
  readonly figures: string;
}

/** Compares the middle of all rounds with the highest value that meets the target. */
export function judge({ what, values, limit, format, figures }: Judged): TargetResult {
  const measured = median(values);
  return {
    what,
    measured: format(measured),
    target: `≤ ${format(limit)}`,
    isMet: measured <= limit,
    rounds: values.length,
    figures,
  };
}

/** `a` and `b` are what is compared, in the same rounds. */
export function ratios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, round) => value / (b[round] as number));
}

export const times = (ratio: number): string => `${ratio.toFixed(2)}×`;
export const milliseconds = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

/** The middle of the time, the CPU time and the memory of all rounds. */
export function describeUsage(name: string, rounds: readonly Usage[]): string {
  const of = (key: keyof Usage) => median(rounds.map((usage) => usage[key]));
  return `${name}: ${milliseconds(of('ms'))}, CPU ${milliseconds(of('cpu'))}, ${megabytes(of('peak'))}`;
}
