import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../support/random-runs.ts';
import { ALLOWED_DIFFERENCES } from './allowed-differences.ts';
import { history } from './generator.ts';
import { runHistory } from './run-history.ts';
import { shorten } from './shorten.ts';
import type { History } from './steps.ts';

const RUNS = randomRuns(10);
/** The same histories for every change, so that a failure is the change's; LUID_SEED runs others. */
const SEED = Number(process.env.LUID_SEED ?? 20_260_117);

test(`builds show what the service shows, in ${RUNS} random histories`, { timeout: 36_000_000 }, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these histories again`);
  // fast-check would shorten by its own rules, which know nothing of steps that are of no use without others.
  const options = { numRuns: RUNS, seed: SEED, endOnFailure: true };
  const { failed, numRuns, counterexample } = await fc.check(
    fc.asyncProperty(history, async (one) => (await attempt(one)) === undefined),
    options,
  );
  if (failed && counterexample) expect.fail(await report(counterexample[0], numRuns));
});

async function attempt(one: History): Promise<Error | undefined> {
  try {
    await runHistory(one);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function report(failing: History, count: number): Promise<string> {
  const error = await attempt(failing);
  if (!error) return `History ${count} failed once but not when repeated: it is not deterministic.`;
  const short = await shorten(failing, error, attempt);
  return [
    `History ${count} fails. LUID_SEED=${SEED} LUID_RUNS=${count} runs it again.`,
    short.error.message,
    `The setup: ${JSON.stringify(short.history.setup)}`,
    ['Allowed differences:', ...Object.values(ALLOWED_DIFFERENCES)].join('\n- '),
  ].join('\n\n');
}
