/** How often a random test runs: `quick` times in `npm test`, `all` times in `npm run test:all`, or LUID_RUNS times. */
export function randomRuns({ quick, all }: { quick: number; all: number }): number {
  return Number(process.env.LUID_RUNS ?? (process.env.LUID_ALL ? all : quick));
}
