import { setTimeout } from 'node:timers/promises';

/** Generous, because a busy machine is slow. */
const TIME_LIMIT_MS = 60_000;
const STEP_MS = 50;

/** Calls `check` until it returns something, and returns that. `what()` describes it in the error. */
export async function waitUntil(what, check) {
  const end = performance.now() + TIME_LIMIT_MS;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (performance.now() > end) throw new Error(`Waited too long until ${what()}`);
    await setTimeout(STEP_MS);
  }
}
