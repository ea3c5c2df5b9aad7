import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { LuidConfigError } from '../../shared/errors.ts';
import { Emulator } from '../emulator.ts';
import type { EmulatorOptions } from '../emulator-options.ts';
import { createHostCheck, createMisdirectedError } from './hosts.ts';
import { type ErrorDetails, errorBody } from './http-error.ts';
import { toBodyStream } from './incoming-body.ts';
import type { LogEntry } from './request-log.ts';
import { JSON_HEADERS, knownBytes } from './responses.ts';

export interface ServerOptions extends EmulatorOptions {
  /** Default: a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1, which only this machine can reach. */
  host?: string | undefined;
  /**
   * Host names to respond to, in addition to loopback names and `host`; `.example.com` includes all subdomains.
   * Requests for other names get a 421, as a protection against DNS rebinding.
   */
  allowedHosts?: readonly string[] | undefined;
}

/** A listening emulator. `close()` stops it and ends all connections. */
export type RunningEmulator = Emulator;

/** More than the maximum URL length, so that a longer URL gets an error body too. */
const MAX_HEADER_BYTES = 256 * 1024;

/** Milliseconds before a connection with an unread request is closed. */
const GRACE_PERIOD = 1_000;

/** Starts an emulator on a port. Without a seed it serves the bundled sample. */
export async function startEmulator(seed?: unknown, options: ServerOptions = {}): Promise<RunningEmulator> {
  const { port = 0, host = '127.0.0.1', origin, allowedHosts } = options;
  const isAllowed = createHostCheck({ host, origin, allowedHosts });
  const emulator = new Emulator(seed, options);
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 60_000 },
    (incoming, outgoing) => {
      if (isForAllowedHost(incoming, isAllowed)) void serve(emulator, incoming, outgoing);
      else {
        sendError(outgoing, createMisdirectedError(incoming.headers.host));
        options.onRequest?.(misdirectedEntry(incoming, emulator.clock.now()));
      }
    },
  );
  // A client may end its side of the connection after the request and still read the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', rejectInvalidHttp);
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
  const notHandled = { cdn: 'pass', counted: false, bytes: 0, duration: 0 } as const;
  return { at, method, path, query: query.join('?'), status: 421, ...notHandled };
}

/** A request target can be an absolute URL: then its host must be allowed, too. */
function isForAllowedHost(
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
          hint: 'Choose another port, or omit it to use a free one.',
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

/** Converts between node:http and web-standard requests. A connection fault destroys the socket. */
async function serve(emulator: Emulator, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  const onDisconnect = () => {
    if (!outgoing.writableEnded) disconnected.abort();
  };
  // Both a client that gave up and one that still reads may end their side: a delayed response is sent to both, and
  // without a delay only a stalled request is still waiting.
  const onEnd = () => {
    if (!(emulator.latency > 0)) onDisconnect();
  };
  incoming.socket.once('end', onEnd);
  outgoing.on('error', onDisconnect).once('close', () => {
    incoming.socket.off('end', onEnd);
    onDisconnect();
  });
  const request = toRequest(emulator.origin, incoming, disconnected.signal);
  if (!request) return sendError(outgoing, { status: 400 });
  try {
    const response = await emulator.fetch(request);
    const { bytes, broken } = await collect(response);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (broken) outgoing.write(bytes, () => outgoing.destroy());
    else outgoing.end(bytes);
    if (!incoming.complete) incoming.once('end', destroyLater(incoming.socket));
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
    const absoluteUrl = url.startsWith('/') ? origin + url : url;
    if (method === 'GET' || method === 'HEAD') return new Request(absoluteUrl, { method, headers, signal });
    const init = { method, headers, signal, body: toBodyStream(incoming), duplex: 'half' };
    return new Request(absoluteUrl, init as RequestInit);
  } catch {
    return undefined;
  }
}

/** Reads a body, as far as possible if it fails. */
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

function sendError(outgoing: ServerResponse, details: ErrorDetails): void {
  const body = JSON.stringify(errorBody(details));
  outgoing.writeHead(details.status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

/** Responds to invalid HTTP with an error in the format of §7, if the client still reads. */
function rejectInvalidHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
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
  destroyLater(socket);
}

/**
 * Closes a connection after a grace period. Used when the response was sent before the whole request was read:
 * closing at once would reset the connection before the client reads the response. Returns a function to cancel.
 */
function destroyLater(socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), GRACE_PERIOD).unref();
  return () => clearTimeout(timer);
}
