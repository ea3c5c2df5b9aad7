/** Rows per request. */
export const PAGE_SIZE = 100;

interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  /** Which refresh it was loaded after. */
  readonly generation: number;
}

type Load<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<Page<Row>>;

/**
 * A long list of which only the pages in view are loaded. Loaded pages are kept; after a refresh they are shown until
 * they are loaded again.
 */
export class PagedRows<Row> {
  readonly #load: Load<Row>;
  readonly #onChange: (error?: unknown) => void;
  readonly #pages = new Map<number, LoadedPage<Row>>();
  readonly #requests = new Map<number, AbortController>();
  #generation = 0;
  #total: number | undefined;
  #view = { first: 0, last: 0 };

  constructor(load: Load<Row>, onChange: (error?: unknown) => void) {
    this.#load = load;
    this.#onChange = onChange;
  }

  /** `undefined` until the first page is loaded. */
  get total(): number | undefined {
    return this.#total;
  }

  /** `undefined` if it is not loaded yet. */
  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.rows[index % PAGE_SIZE];
  }

  /** Loads the pages of these rows, and cancels requests for pages that are no longer in view. */
  show(first: number, last: number): void {
    this.#view = {
      first: Math.floor(first / PAGE_SIZE),
      last: Math.floor(Math.max(first, last) / PAGE_SIZE),
    };
    for (const [page, request] of this.#requests) {
      if (page >= this.#view.first && page <= this.#view.last) continue;
      request.abort();
      this.#requests.delete(page);
    }
    for (let page = this.#view.first; page <= this.#view.last; page++) {
      const isCurrent = this.#pages.get(page)?.generation === this.#generation;
      if (!isCurrent && !this.#requests.has(page)) void this.#request(page);
    }
  }

  /** Something has changed: what is in view is loaded again now, everything else when it comes into view. */
  refresh(): void {
    this.#generation++;
    this.close();
    for (let page = this.#view.first; page <= this.#view.last; page++) void this.#request(page);
  }

  /** Cancels all requests. */
  close(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  async #request(page: number): Promise<void> {
    const request = new AbortController();
    const generation = this.#generation;
    this.#requests.set(page, request);
    try {
      const { total, rows } = await this.#load(page * PAGE_SIZE, PAGE_SIZE, request.signal);
      if (request.signal.aborted) return;
      this.#total = total;
      this.#pages.set(page, { rows, generation });
      this.#onChange();
    } catch (error) {
      if (!request.signal.aborted) this.#onChange(error);
    } finally {
      if (this.#requests.get(page) === request) this.#requests.delete(page);
    }
  }
}
