/** How often a random test runs: so many times, or LUID_RUNS times. `npm run test:long` runs them at length. */
export function randomRuns(count: number): number {
  return Number(process.env.LUID_RUNS ?? count);
}
