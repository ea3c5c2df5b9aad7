/**
 * Wraps a function so that it runs at most once at a time. Calls during a run share one more run after it: the
 * change that they report may have come too late for the current one.
 */
export function coalesce<Reason>(run: (reason: Reason) => Promise<void>): (reason: Reason) => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(reason: Reason): Promise<void> {
    next = undefined;
    running = run(reason).finally(() => {
      // If another run is due, `running` stays set until it starts, so that calls in between share it.
      if (!next) running = undefined;
    });
    return running;
  }

  return (reason) => {
    if (!running) return start(reason);
    next ??= running.then(
      () => start(reason),
      () => start(reason),
    );
    return next;
  };
}
