import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from './dataset.ts';

/** A service with controls for the benchmark. */
export interface Service {
  readonly url: string;
  /** Delays every response. */
  setLatency(milliseconds: number): void;
  change(change: Change): void;
  /** Responds to the next request with this status. */
  failNext(status: number): void;
  /** The requests since the last call. */
  takeCounts(): Counts;
}

export interface Counts {
  readonly requests: number;
  /** Requests that count against the rate limit, if the service's CDN reports it. */
  readonly counted?: number | undefined;
  /** Bytes of response bodies. */
  readonly bytes: number;
}

export interface MockResponse {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server that responds to GET requests with JSON and has no rate limit. */
export async function startService(
  respond: (url: URL) => MockResponse,
  change: (change: Change) => void,
): Promise<Service> {
  let latency = 0;
  let fault: number | undefined;
  let counts = { requests: 0, bytes: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, outgoing) => {
    const status = fault ?? 200;
    fault = undefined;
    if (latency > 0) await sleep(latency);
    const url = new URL(incoming.url ?? '/', 'http://service');
    const { body, headers }: MockResponse =
      status === 200
        ? respond(url)
        : { body: { message: `status ${status}` }, headers: status === 429 ? { 'retry-after': '1' } : {} };
    const bytes = Buffer.from(JSON.stringify(body));
    counts.requests += 1;
    counts.bytes += bytes.length;
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...headers,
    });
    outgoing.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setLatency(milliseconds) {
      latency = milliseconds;
    },
    change,
    failNext(status) {
      fault = status;
    },
    takeCounts() {
      const taken = counts;
      counts = { requests: 0, bytes: 0 };
      return taken;
    },
  };
}

/** One page of a list. */
export function pageOf<T>(
  items: readonly T[],
  page: number,
  size: number,
): { items: readonly T[]; pages: number } {
  return { items: items.slice((page - 1) * size, page * size), pages: Math.ceil(items.length / size) };
}

export const iso = (time: number): string => new Date(time).toISOString();
