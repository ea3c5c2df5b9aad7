/** How far an audit is: the number of its builds is estimated, because each build may show that others are needed. */
export class BuildProgress {
  readonly #now: () => number;
  readonly #start: number;
  #expected = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#start = now();
  }

  /** `builds`: how many there will be in all. */
  expect(builds: number): void {
    this.#expected = builds;
  }

  /** The line for the next build, after `done` others. */
  line(done: number, step: string): string {
    if (this.#expected <= done) return `build ${done + 1}: ${step}`;
    return `build ${done + 1} of about ${this.#expected}${this.#timeLeft(done)}: ${step}`;
  }

  #timeLeft(done: number): string {
    if (done === 0) return '';
    const seconds = (((this.#now() - this.#start) / done) * (this.#expected - done)) / 1000;
    return seconds < 60 ? ', less than a minute left' : `, about ${Math.ceil(seconds / 60)} min left`;
  }
}
