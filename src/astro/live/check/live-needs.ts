/** What the live collections that share a replica need together. */
export class LiveNeeds {
  readonly #langs = new Set<string>();
  #interval = Number.POSITIVE_INFINITY;
  #isPermanent = false;

  /** Milliseconds between two checks: the shortest of the collections. */
  get interval(): number {
    return this.#interval;
  }

  /** The languages besides the main one. */
  get langs(): readonly string[] {
    return [...this.#langs];
  }

  /** Whether content is checked all the time. If only previews show it, it is checked while one of them is open. */
  get isPermanent(): boolean {
    return this.#isPermanent;
  }

  add(interval: number, langs: readonly string[], { isPreview = false } = {}): void {
    if (!isPreview) this.#isPermanent = true;
    this.#interval = Math.min(this.#interval, interval);
    for (const lang of langs) this.#langs.add(lang);
  }
}
