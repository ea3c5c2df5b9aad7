import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from './corpus.ts';

/** A service that a loader loads from. */
export interface Service {
  readonly url: string;
  /** Milliseconds that every answer takes longer. */
  setLatency(milliseconds: number): void;
  change(change: Change): void;
  /** The next request is answered with this status. */
  failNext(status: number): void;
  /** What was asked since the last call. */
  takeCounts(): Counts;
}

export interface Counts {
  readonly requests: number;
  /** Those that count against the rate limit, where the service has a cache in front that tells. */
  readonly counted?: number | undefined;
  /** Of the bodies of answers. */
  readonly bytes: number;
}

export interface Answer {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that answers GET requests with JSON, and has no rate limit. */
export async function startService(
  answer: (url: URL) => Answer,
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
    const { body, headers }: Answer =
      status === 200
        ? answer(url)
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
