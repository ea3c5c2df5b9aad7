import { afterAll, expect, vi } from 'vitest';

// Test files share workers, so each one must leave the process as it was.
const before = processState();

afterAll(() => {
  // Otherwise a file whose emulator has the URL and the key of another's would also get its limits and its clock.
  delete (globalThis as { [name: symbol]: unknown })[Symbol.for('astro-luid:rate-limiters')];
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  expect(processState()).toEqual(before);
});

function processState() {
  // `sharp` sets VIPSHOME.
  const { VIPSHOME: _, ...env } = process.env;
  return { env, folder: process.cwd(), fetch: globalThis.fetch };
}
