/**
 * Wraps a function so that it runs at most once at a time. Calls during a run share one more run after it: the
 * change that they report may have come too late for the current one.
 */
export function coalesce<Reason = void, Result = void>(
  run: (reason: Reason) => Promise<Result>,
): (reason: Reason) => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  function start(reason: Reason): Promise<Result> {
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
