import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../src/client/http/clock.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { REQUEST_ID_HEADER, RequestTracker } from './request-tracker.ts';

/** The unchanged response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** One request, and what a fault can do to it. */
export interface Exchange {
  /** The number of the request, from 1 on. */
  readonly n: number;
  readonly url: URL;
  readonly key: string;
  now(): number;
  /** The response of the service, from this CDN location. */
  fetchResponse(pop?: string): Promise<ServiceResponse>;
  send(response: Partial<ServiceResponse>): void;
  /** Sends headers for the whole body, and a part of it. */
  begin(response: ServiceResponse, part: string): void;
  write(part: string): void;
  /** Closes the connection after the part that was sent. */
  cut(): void;
  /** Resets the connection. */
  reset(): void;
  /** Waits this long, or until the client disconnects. */
  wait(milliseconds?: number): Promise<void>;
  readonly isClosed: boolean;
}

/** Handles a request in place of the service. */
export type FaultHandler = (exchange: Exchange) => Promise<void> | void;

export interface ReceivedRequest {
  readonly at: number;
  readonly url: string;
  /** The name of the fault, if there was one. */
  readonly fault: string | undefined;
}

/** A client of the proxy, identified by its key. */
export interface ProxyClient {
  readonly service: Emulator;
  readonly clock?: Clock;
  readonly tracker?: RequestTracker;
  /** Chooses a fault for a request. */
  choose?: ((exchange: Exchange) => { name: string; handler: FaultHandler } | undefined) | undefined;
  readonly requests: ReceivedRequest[];
}

export interface FaultyProxy {
  readonly baseUrl: string;
  /** Forwards requests with this key to the client's service, or to a fault. */
  addClient(key: string, proxyClient: ProxyClient): void;
  close(): Promise<void>;
}

const KEY_HEADER = 'x-service-api-key';

/** A proxy between clients and the service, over real connections, that injects faults. */
export async function startProxy(): Promise<FaultyProxy> {
  const clients = new Map<string, ProxyClient>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const proxyClient = clients.get(String(incoming.headers[KEY_HEADER]));
    if (proxyClient) serve(proxyClient, incoming, outgoing).catch(() => outgoing.destroy());
    else outgoing.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    addClient: (key, proxyClient) => void clients.set(key, proxyClient),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  proxyClient: ProxyClient,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const exchange = exchangeOf(proxyClient, incoming, outgoing);
  const chosen = proxyClient.choose?.(exchange);
  proxyClient.requests.push({ at: exchange.now(), url: exchange.url.href, fault: chosen?.name });
  if (chosen) await chosen.handler(exchange);
  else exchange.send(await exchange.fetchResponse());
}

function exchangeOf(proxyClient: ProxyClient, incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const { service, clock = systemClock, tracker = new RequestTracker() } = proxyClient;
  const url = new URL(incoming.url ?? '/', service.origin);
  const key = String(incoming.headers[KEY_HEADER]);
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  return {
    n: proxyClient.requests.length + 1,
    url,
    key,
    now: () => clock.now(),
    async fetchResponse(pop = 'a') {
      const response = await service.fetch(url, { headers: { [KEY_HEADER]: key, 'x-luid-pop': pop } });
      const { 'content-length': _, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    send({ status = 200, headers = { 'content-type': 'application/json' }, text = '' }) {
      outgoing.writeHead(status, headers).end(text);
    },
    begin({ status, headers, text }, part) {
      outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
      outgoing.write(part);
    },
    write: (part) => void outgoing.write(part),
    cut: () => void outgoing.write(' ', () => incoming.socket.destroySoon()),
    reset: () => void incoming.socket.resetAndDestroy(),
    wait: (milliseconds) =>
      tracker.whileHeld(String(incoming.headers[REQUEST_ID_HEADER]), async () => {
        const ended = new Promise<void>((resolve) => {
          closed.signal.addEventListener('abort', () => resolve());
          if (closed.signal.aborted) resolve();
        });
        const over =
          milliseconds === undefined ? ended : clock.sleep(milliseconds, closed.signal).catch(() => {});
        await Promise.race([over, ended]);
      }),
    get isClosed() {
      return closed.signal.aborted;
    },
  };
}
