/** Identifies a request at both ends. */
export const REQUEST_ID_HEADER = 'x-test-request-id';

let sent = 0;

/** The requests that are in flight, so that the clock knows whether a response is expected. */
export class RequestTracker {
  readonly #open = new Set<string>();
  readonly #held = new Set<string>();
  /** The largest number of requests in parallel so far. */
  most = 0;

  get open(): number {
    return this.#open.size;
  }

  /** Whether a response is expected that the proxy does not delay. */
  get isBusy(): boolean {
    return [...this.#open].some((id) => !this.#held.has(id));
  }

  /** The proxy delays the response until `work` is done. */
  async whileHeld<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#held.add(id);
    try {
      return await work();
    } finally {
      this.#held.delete(id);
    }
  }

  /** The real `fetch`, tracked from the start of the request to the end of the response. */
  readonly fetch: typeof fetch = async (input, init) => {
    const id = String(++sent);
    const headers = new Headers(init?.headers);
    headers.set(REQUEST_ID_HEADER, id);
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
