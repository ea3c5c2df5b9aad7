import { type Client, type ClientOptions, type Clock, createClient } from '../../src/client/index.ts';

export interface SimulatedClock extends Clock {
  /** Advances the time until the promise is settled. */
  run<T>(promise: Promise<T>): Promise<T>;
}

/** A clock that stops until everything waits for it, and then jumps to the next timer. */
export function simulatedClock(start = Date.UTC(2026, 0, 1)): SimulatedClock {
  let time = start;
  const sleepers: { at: number; wake: () => void }[] = [];
  const idle = async () => {
    for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => time,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper = { at: time + milliseconds, wake: resolve };
        const at = sleepers.findIndex((other) => other.at > sleeper.at);
        sleepers.splice(at === -1 ? sleepers.length : at, 0, sleeper);
        signal?.addEventListener('abort', () => {
          const place = sleepers.indexOf(sleeper);
          if (place !== -1) sleepers.splice(place, 1);
          reject(signal.reason);
        });
      }),
    async run(promise) {
      let settled = false;
      const settle = () => {
        settled = true;
      };
      promise.then(settle, settle);
      for (await idle(); !settled; await idle()) {
        const next = sleepers.shift();
        if (!next) throw new Error('Everything waits, and there is no timer');
        time = Math.max(time, next.at);
        next.wake();
      }
      return promise;
    },
  };
}

export interface Sent {
  readonly at: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** How the service responds to the nth request; an error is thrown, as by `fetch`. */
export type Script = (request: Sent, n: number) => Response | Error | Promise<Response | Error>;

let clients = 0;

/** A client with its own key, of a service that follows a script on a simulated clock. */
export function scripted(script: Script, options: ClientOptions = {}) {
  const clock = simulatedClock();
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    init.signal?.throwIfAborted();
    const request: Sent = {
      at: clock.now(),
      method: init.method ?? 'GET',
      url: new URL(String(url)),
      headers: new Headers(init.headers),
      body: init.body,
    };
    sent.push(request);
    const aborted = new Promise<never>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
    aborted.catch(() => {});
    const response = await Promise.race([script(request, sent.length), aborted]);
    if (response instanceof Error) throw response;
    return response;
  };
  const apiKey = `secret-key-${++clients}`;
  const baseUrl = `https://cms-${clients}.example/v1`;
  const client: Client = createClient({
    baseUrl,
    apiKey,
    fetch,
    clock,
    ...options,
  });
  return { client, clock, sent, apiKey };
}

/** An empty list. */
export const empty = () => Response.json({ total: 0, offset: 0, limit: 100, data: [] });

export const failure = (status: number, headers: Record<string, string> = {}, code = 'Some Error') =>
  Response.json({ status: String(status), code }, { status, headers });

/** What Node's `fetch` throws. */
export const networkError = (code = 'ECONNRESET') =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(`it broke: ${code}`), { code }),
  });

/** A response whose body fails after its first bytes, or never ends. */
export function broken(end: 'cut' | 'drip', text = '{"total": 0, "of'): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (end === 'cut') controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
