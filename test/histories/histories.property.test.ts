import fc from 'fast-check';
import { expect, test } from 'vitest';
import { history } from './generator.ts';
import { liveThrough } from './history.ts';
import type { History } from './steps.ts';

const RUNS = Number(process.env.LUID_RUNS ?? 40);
/** The same histories for every change, so that a failure is the change's; LUID_SEED asks for others. */
const SEED = Number(process.env.LUID_SEED ?? 20_260_117);
const PATH = process.env.LUID_PATH;

test(`builds show what the service shows, in ${RUNS} random histories`, { timeout: 36_000_000 }, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these histories again`);
  const details = await fc.check(fc.asyncProperty(history, liveThrough), {
    numRuns: RUNS,
    seed: SEED,
    ...(PATH && { path: PATH }),
  });
  if (details.failed) expect.fail(report(details));
});

function report({
  numRuns,
  numShrinks,
  seed,
  counterexamplePath,
  counterexample,
  errorInstance,
}: Failed): string {
  return [
    `Failed after ${numRuns} histories, shrunk ${numShrinks} times.`,
    `Again: LUID_SEED=${seed} LUID_PATH=${counterexamplePath}`,
    '',
    String((errorInstance as Error | undefined)?.message),
    '',
    `The world: ${JSON.stringify(counterexample?.[0].world, null, 1)}`,
  ].join('\n');
}

type Failed = fc.RunDetails<[History]>;
