/** The header by which the two ends of a request know each other. */
export const TRAFFIC_HEADER = 'x-traffic';

let sent = 0;

/** The requests of a load that are under way, so that time can tell whether anything is still to come. */
export class Traffic {
  readonly #open = new Set<string>();
  readonly #held = new Set<string>();
  /** The most at once so far. */
  most = 0;

  get open(): number {
    return this.#open.size;
  }

  /** Whether an answer is on its way that nobody holds back. */
  get isBusy(): boolean {
    return [...this.#open].some((id) => !this.#held.has(id));
  }

  /** The other end does nothing about a request until time has passed. */
  async whileHeld<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#held.add(id);
    try {
      return await work();
    } finally {
      this.#held.delete(id);
    }
  }

  /** The real `fetch`, watched from the first byte of a request to the last of its answer. */
  readonly fetch: typeof fetch = async (input, init) => {
    const id = String(++sent);
    const headers = new Headers(init?.headers);
    headers.set(TRAFFIC_HEADER, id);
    this.#open.add(id);
    this.most = Math.max(this.most, this.#open.size);
    const end = () => this.#open.delete(id);
    try {
      const response = await fetch(input, { ...init, headers });
      if (!response.body) end();
      const body = response.body && watched(response.body, end);
      return new Response(body, { status: response.status, headers: response.headers });
    } catch (error) {
      end();
      throw error;
    }
  };
}

function watched(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}
