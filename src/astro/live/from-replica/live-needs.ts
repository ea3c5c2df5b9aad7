/** What the live collections that share a replica need together. */
export class LiveNeeds {
  readonly #langs = new Set<string>();
  #interval = Number.POSITIVE_INFINITY;

  /** Milliseconds between two checks: the shortest that a collection asks for. */
  get interval(): number {
    return this.#interval;
  }

  /** The languages besides the main one. */
  get langs(): readonly string[] {
    return [...this.#langs];
  }

  add(interval: number, langs: readonly string[]): void {
    this.#interval = Math.min(this.#interval, interval);
    for (const lang of langs) this.#langs.add(lang);
  }
}
