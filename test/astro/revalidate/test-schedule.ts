/** Timers that a test ends, by their delay. */
export class TestSchedule {
  #timers: { run: () => void; delay: number }[] = [];

  readonly schedule = (run: () => void, delay: number): (() => void) => {
    const timer = { run, delay };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get delays(): number[] {
    return this.#timers.map(({ delay }) => delay);
  }

  /** Runs the timers of this delay, and what they start. */
  async end(delay: number): Promise<void> {
    const due = this.#timers.filter((timer) => timer.delay === delay);
    this.#timers = this.#timers.filter((timer) => timer.delay !== delay);
    for (const { run } of due) run();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
