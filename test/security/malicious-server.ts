import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createGzip } from 'node:zlib';

type Respond = (response: ServerResponse, request: IncomingMessage, count: number) => void;

const item = (id: number) => {
  const at = new Date(Date.UTC(2026, 0, 1) + (id % 1e6) * 1000).toISOString();
  const times = { _created_at: at, _updated_at: at, _published_at: at, _last_published_at: at };
  return { _id: id, _model: 'thing', _title: '', ...times, _status: 'published', title: 'a' };
};

function sendPage(response: ServerResponse, request: IncomingMessage, total: number): void {
  response.end(pageOf(request, total));
}

/** The JSON of the requested page of a list with this total. */
function pageOf({ url = '' }: IncomingMessage, total: number): string {
  const { searchParams } = new URL(url, 'http://x');
  const offset = Number(searchParams.get('offset') ?? 0);
  const limit = Number(searchParams.get('limit') ?? 100);
  const isDescending = searchParams.get('order')?.startsWith('-');
  const length = Math.min(limit, Math.max(0, total - offset));
  const data = Array.from({ length }, (_, index) =>
    item(isDescending ? total - offset - index : offset + index + 1),
  );
  return JSON.stringify({ total, offset, limit, data });
}

const START = '{"total":1,"offset":0,"limit":100,"data":[{"_id":1,"a":"';
const MEGABYTE = 'x'.repeat(2 ** 20);

/** Writes endlessly, as fast as the client reads. */
function writeEndlessly(response: ServerResponse): void {
  response.write(START);
  const writeMore = () => {
    while (!response.destroyed && response.write(MEGABYTE));
  };
  response.on('drain', writeMore);
  writeMore();
}

/** Malicious responses by scenario, which is the first segment of the path. */
const RESPONSES: Readonly<Record<string, Respond>> = {
  'a total that grows with each response': (response, request, count) =>
    sendPage(response, request, 100 * count + 1000),
  'the largest possible total': (response, request) => sendPage(response, request, Number.MAX_SAFE_INTEGER),
  'a total of a billion': (response, request) => sendPage(response, request, 1e9),
  'endless redirects': (response, request) =>
    response.writeHead(302, { location: `${request.url}&again=1` }).end(),
  'an endless body': (response) => writeEndlessly(response),
  'an endless body with a content-length of a terabyte': (response) => {
    response.writeHead(200, { 'content-length': 1e12 });
    writeEndlessly(response);
  },
  'an error with an endless body': (response) => {
    response.writeHead(500);
    writeEndlessly(response);
  },
  'a gzip bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const bomb = Buffer.alloc(2 ** 24, 0x20);
    let remaining = 20;
    const writeMore = () => {
      while (remaining-- > 0 && !response.destroyed && zip.write(bomb));
      if (remaining <= 0) zip.end();
    };
    zip.on('drain', writeMore);
    writeMore();
  },
  'pages of 60 MB in parallel': (response, request) => {
    // The first two requests are the heads; the pages that follow are read in parallel.
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    if (!searchParams.has('offset')) return sendPage(response, request, 5000);
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const padding = Buffer.alloc(2 ** 20, 0x20);
    for (let megabytes = 0; megabytes < 60; megabytes++) zip.write(padding);
    zip.end(pageOf(request, 5000));
  },
  'a body shorter than its content-length': (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(START);
    setImmediate(() => response.destroy());
  },
  'a body longer than its content-length': (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${START}${MEGABYTE}`);
  },
  'endless headers': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const writeMore = () => {
      while (socket && !socket.destroyed && socket.write(`x-header: ${'x'.repeat(1000)}\r\n`));
    };
    socket?.on('drain', writeMore);
    writeMore();
  },
  'a very slow body': (response) => {
    response.write(START);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  'very slow headers': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const timer = setInterval(() => socket?.write('x'), 20);
    socket?.on('close', () => clearInterval(timer));
  },
  'no response': () => {},
  'a million keys': (response) => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":${index}`).join(',');
    response.end(`{"total":1,"offset":0,"limit":100,"data":[{"_id":1,${keys}}]}`);
  },
  'the same key twice': (response) => {
    response.end(
      '{"total":0,"total":1,"offset":0,"limit":100,"data":[],"data":[{"_id":7,"_id":1,"a":1,"a":2}]}',
    );
  },
};

export const SCENARIOS = Object.keys(RESPONSES);

export interface MaliciousServer {
  /** The base URL of a scenario. */
  baseUrl(scenario: string): string;
  /** The number of requests to a scenario. */
  requests(scenario: string): number;
  close(): Promise<void>;
}

export async function startMaliciousServer(): Promise<MaliciousServer> {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const scenario = decodeURIComponent(request.url?.split('/')[1] ?? '');
    const count = (counts.get(scenario) ?? 0) + 1;
    counts.set(scenario, count);
    response.on('error', () => {});
    RESPONSES[scenario]?.(response, request, count);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (scenario) => `http://127.0.0.1:${port}/${encodeURIComponent(scenario)}/v1`,
    requests: (scenario) => counts.get(scenario) ?? 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
