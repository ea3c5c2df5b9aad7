import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '../e2e/site.ts';

/** What a command printed and used. */
export interface MeasuredCommand {
  readonly output: string;
  readonly ms: number;
  /** Milliseconds of CPU time, user and system, of all its threads. */
  readonly cpu: number;
  /** Peak memory in bytes. */
  readonly peak: number;
}

const REPORT = new URL('report-usage.mjs', import.meta.url).href;

/** Runs `astro COMMAND` in a site. */
export const runMeasured = (site: Site, args: string[]): Promise<MeasuredCommand> =>
  measureCommand((env) => site.astro(args, env));

/** Measures a command that is run in this environment, and resolves to what it printed. */
export async function measureCommand(
  run: (env: NodeJS.ProcessEnv) => Promise<string>,
): Promise<MeasuredCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-usage-'));
  const file = join(folder, 'usage.json');
  try {
    const start = performance.now();
    const output = await run({ NODE_OPTIONS: `--import=${REPORT}`, BENCH_USAGE_FILE: file });
    const ms = performance.now() - start;
    return { output, ms, ...(JSON.parse(readFileSync(file, 'utf8')) as { cpu: number; peak: number }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
