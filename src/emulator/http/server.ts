import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { LuidConfigError } from '../../errors.ts';
import { Emulator } from '../emulator.ts';
import type { EmulatorOptions } from '../options.ts';
import { createHostCheck, misdirected } from './hosts.ts';
import { bodyOf } from './incoming-body.ts';
import type { LogEntry } from './log.ts';
import { errorBody, type Refused } from './refusal.ts';
import { JSON_HEADERS, knownBytes } from './responses.ts';

export interface ServerOptions extends EmulatorOptions {
  /** Default: a free one. */
  port?: number | undefined;
  /** Default: 127.0.0.1, so that only this machine reaches it. */
  host?: string | undefined;
  /**
   * Names that it may be reached by, beside loopback names and `host`; `.example.com` stands for all names
   * below it. Requests for other names get a 421, so that no web page can reach it by DNS rebinding.
   */
  allowedHosts?: readonly string[] | undefined;
}

/** An emulator that listens. `close()` stops it and ends all connections. */
export type RunningEmulator = Emulator;

/** Enough for the longest URL that is answered, so that a longer one gets an error body too. */
const MOST_HEADER_BYTES = 256 * 1024;

/** Starts an emulator on a port. Without a seed it serves the bundled sample. */
export async function startEmulator(seed?: unknown, options: ServerOptions = {}): Promise<RunningEmulator> {
  const { port = 0, host = '127.0.0.1', origin, allowedHosts } = options;
  const isAllowed = createHostCheck({ host, origin, allowedHosts });
  const emulator = new Emulator(seed, options);
  const server = createServer(
    { maxHeaderSize: MOST_HEADER_BYTES, keepAliveTimeout: 60_000 },
    (incoming, outgoing) => {
      if (isMeantForUs(incoming, isAllowed)) void serve(emulator, incoming, outgoing);
      else {
        send(outgoing, misdirected(incoming.headers.host));
        options.onRequest?.(misdirectedEntry(incoming, emulator.clock.now()));
      }
    },
  );
  // A client may end its side once it has asked, and still read the answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', refuseGarbage);
  try {
    await listen(server, port, host);
  } catch (error) {
    await emulator.close();
    throw error;
  }
  emulator.origin = origin ?? originOf(server.address() as AddressInfo);
  return Object.assign(emulator, {
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await Emulator.prototype.close.call(emulator);
    },
  });
}

function misdirectedEntry({ method = 'GET', url = '/' }: IncomingMessage, at: number): LogEntry {
  const [path = '', ...query] = url.split('?');
  const unseen = { cdn: 'pass', counted: false, bytes: 0, duration: 0 } as const;
  return { at, method, path, query: query.join('?'), status: 421, ...unseen };
}

/** A target may name a host of its own, which then counts too. */
function isMeantForUs(
  { headers, url = '/' }: IncomingMessage,
  isAllowed: (host: string) => boolean,
): boolean {
  if (headers.host === undefined || !isAllowed(headers.host)) return false;
  if (url.startsWith('/') || !URL.canParse(url)) return true;
  return isAllowed(new URL(url).host);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new LuidConfigError(`The emulator cannot listen on ${host}:${port}: ${cause.message}`, {
          hint: 'Choose another port, or none for a free one.',
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
}

function originOf({ address, family, port }: AddressInfo): string {
  const name = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${name}]` : name}:${port}`;
}

/** Between node:http and web-standard requests. A fault of the connection destroys the socket. */
async function serve(emulator: Emulator, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => {
    if (!outgoing.writableEnded) gone.abort();
  };
  incoming.socket.once('end', leave);
  outgoing.on('error', leave).once('close', () => {
    incoming.socket.off('end', leave);
    leave();
  });
  const request = toRequest(emulator.origin, incoming, gone.signal);
  if (!request) return send(outgoing, { status: 400 });
  try {
    const response = await emulator.fetch(request);
    const { bytes, broken } = await collect(response);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (broken) outgoing.write(bytes, () => outgoing.destroy());
    else outgoing.end(bytes);
    if (!incoming.complete) incoming.once('end', closeSlowly(incoming.socket));
  } catch {
    outgoing.destroy();
  }
}

function toRequest(origin: string, incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  try {
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
    }
    const address = url.startsWith('/') ? origin + url : url;
    if (method === 'GET' || method === 'HEAD') return new Request(address, { method, headers, signal });
    const init = { method, headers, signal, body: bodyOf(incoming), duplex: 'half' };
    return new Request(address, init as RequestInit);
  } catch {
    return undefined;
  }
}

/** A body as far as it goes. */
async function collect(response: Response): Promise<{ bytes: Uint8Array; broken: boolean }> {
  const known = knownBytes(response);
  if (known) return { bytes: known, broken: false };
  const { body } = response;
  const chunks: Uint8Array[] = [];
  try {
    if (body) for await (const chunk of body) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), broken: false };
  } catch {
    return { bytes: Buffer.concat(chunks), broken: true };
  }
}

const BAD_REQUEST = JSON.stringify(errorBody({ status: 400 }));

function send(outgoing: ServerResponse, refused: Refused): void {
  const body = JSON.stringify(errorBody(refused));
  outgoing.writeHead(refused.status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

/** What is no HTTP still gets §7's form, if it listens. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [
    'HTTP/1.1 400 Bad Request',
    `content-type: ${JSON_HEADERS['content-type']}`,
    `content-length: ${BAD_REQUEST.length}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${BAD_REQUEST}`);
  socket.resume();
  closeSlowly(socket);
}

/**
 * Closes a connection whose client was answered before it had sent everything. Closing with unread bytes
 * would reset it before the answer is read, so they are passed over for a while. Answers how to call it off.
 */
function closeSlowly(socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), 1_000).unref();
  return () => clearTimeout(timer);
}
