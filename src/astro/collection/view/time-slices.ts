/** Longer work is done in slices, so that requests are served in between. */
const SLICE_MS = 5;

/** Returns a function to call, and await, between two steps of long work: it lets other work run when it is time. */
export function createTimeSlices(): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      start = performance.now();
    });
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}
