/** Runs something at most once at a time. */
export type Shared<Reason> = (reason: Reason) => Promise<void>;

/**
 * Calls that come while one runs share the next one: what they tell of may have happened too late for
 * the one that runs.
 */
export function shared<Reason>(run: (reason: Reason) => Promise<void>): Shared<Reason> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(reason: Reason): Promise<void> {
    next = undefined;
    running = run(reason).finally(() => {
      // With another one due, calls that come before it starts must find something to share.
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
