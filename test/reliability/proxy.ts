import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../src/client/http/clock.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { TRAFFIC_HEADER, Traffic } from './traffic.ts';

/** What the service answered, before anything happens to it. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** One request, and all that can be done to it. */
export interface Exchange {
  /** Which of the client's requests it is, from 1 on. */
  readonly n: number;
  readonly url: URL;
  readonly key: string;
  now(): number;
  /** The service's own answer, as a copy of the CDN's gives it: of the first unless another is named. */
  ask(pop?: string): Promise<Answer>;
  send(answer: Partial<Answer>): void;
  /** Headers that promise all of a body, and as much of it as there is. */
  begin(answer: Answer, part: string): void;
  write(part: string): void;
  /** Ends the connection after what was sent of it. */
  cut(): void;
  /** Ends it at once, as a machine does that knows nothing of it. */
  reset(): void;
  /** Nothing happens for so long, or as long as the client stays. */
  wait(milliseconds?: number): Promise<void>;
  readonly isGone: boolean;
}

/** What happens to a request in place of its answer. */
export type Spoil = (exchange: Exchange) => Promise<void> | void;

export interface Arrival {
  readonly at: number;
  readonly url: string;
  /** What happened to it, if not just its answer. */
  readonly fault: string | undefined;
}

/** A client of the proxy's, known by its key. */
export interface Guest {
  readonly service: Emulator;
  readonly clock?: Clock;
  readonly traffic?: Traffic;
  /** Which fault a request meets. */
  choose?: ((exchange: Exchange) => { name: string; spoil: Spoil } | undefined) | undefined;
  readonly arrivals: Arrival[];
}

export interface FaultyProxy {
  readonly baseUrl: string;
  /** Lets requests with this key reach their service, or whatever is chosen for them. */
  admit(key: string, guest: Guest): void;
  close(): Promise<void>;
}

const KEY_HEADER = 'x-service-api-key';

/** Stands between clients and the service, over real connections, and does to requests what a network does. */
export async function startProxy(): Promise<FaultyProxy> {
  const guests = new Map<string, Guest>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const guest = guests.get(String(incoming.headers[KEY_HEADER]));
    if (guest) serve(guest, incoming, outgoing).catch(() => outgoing.destroy());
    else outgoing.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    admit: (key, guest) => void guests.set(key, guest),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(guest: Guest, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const exchange = exchangeOf(guest, incoming, outgoing);
  const chosen = guest.choose?.(exchange);
  guest.arrivals.push({ at: exchange.now(), url: exchange.url.href, fault: chosen?.name });
  if (chosen) await chosen.spoil(exchange);
  else exchange.send(await exchange.ask());
}

function exchangeOf(guest: Guest, incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const { service, clock = systemClock, traffic = new Traffic() } = guest;
  const url = new URL(incoming.url ?? '/', service.origin);
  const key = String(incoming.headers[KEY_HEADER]);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  return {
    n: guest.arrivals.length + 1,
    url,
    key,
    now: () => clock.now(),
    async ask(pop = 'a') {
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
      traffic.whileHeld(String(incoming.headers[TRAFFIC_HEADER]), async () => {
        const ended = new Promise<void>((resolve) => {
          gone.signal.addEventListener('abort', () => resolve());
          if (gone.signal.aborted) resolve();
        });
        const over =
          milliseconds === undefined ? ended : clock.sleep(milliseconds, gone.signal).catch(() => {});
        await Promise.race([over, ended]);
      }),
    get isGone() {
      return gone.signal.aborted;
    },
  };
}
