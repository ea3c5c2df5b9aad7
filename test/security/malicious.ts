import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createGzip } from 'node:zlib';

type Answer = (response: ServerResponse, request: IncomingMessage, count: number) => void;

const item = (id: number) => {
  const at = new Date(Date.UTC(2026, 0, 1) + (id % 1e6) * 1000).toISOString();
  const times = { _created_at: at, _updated_at: at, _published_at: at, _last_published_at: at };
  return { _id: id, _model: 'thing', _title: '', ...times, _status: 'published', title: 'a' };
};

function page(response: ServerResponse, request: IncomingMessage, total: number): void {
  response.end(pageAsAskedFor(request, total));
}

/** The JSON of a page, of as many items as are claimed. */
function pageAsAskedFor({ url = '' }: IncomingMessage, total: number): string {
  const { searchParams } = new URL(url, 'http://x');
  const offset = Number(searchParams.get('offset') ?? 0);
  const limit = Number(searchParams.get('limit') ?? 100);
  const isBackwards = searchParams.get('order')?.startsWith('-');
  const length = Math.min(limit, Math.max(0, total - offset));
  const data = Array.from({ length }, (_, index) =>
    item(isBackwards ? total - offset - index : offset + index + 1),
  );
  return JSON.stringify({ total, offset, limit, data });
}

const START = '{"total":1,"offset":0,"limit":100,"data":[{"_id":1,"a":"';
const MEGABYTE = 'x'.repeat(2 ** 20);

/** Writes without end, as fast as the other side takes it. */
function pour(response: ServerResponse): void {
  response.write(START);
  const more = () => {
    while (!response.destroyed && response.write(MEGABYTE));
  };
  response.on('drain', more);
  more();
}

/** What a service may do to who asks it, by the first part of the path. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'a total that grows with each answer': (response, request, count) =>
    page(response, request, 100 * count + 1000),
  'a total without end': (response, request) => page(response, request, Number.MAX_SAFE_INTEGER),
  'a total of a billion': (response, request) => page(response, request, 1e9),
  'redirects without end': (response, request) =>
    response.writeHead(302, { location: `${request.url}&again=1` }).end(),
  'a body without end': (response) => pour(response),
  'a body that says it is a terabyte': (response) => {
    response.writeHead(200, { 'content-length': 1e12 });
    pour(response);
  },
  'an error whose body has no end': (response) => {
    response.writeHead(500);
    pour(response);
  },
  'a gzip bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const bomb = Buffer.alloc(2 ** 24, 0x20);
    let left = 20;
    const more = () => {
      while (left-- > 0 && !response.destroyed && zip.write(bomb));
      if (left <= 0) zip.end();
    };
    zip.on('drain', more);
    more();
  },
  'pages of 60 MB, all at once': (response, request) => {
    // The first two requests are the lists of the newest; then come pages, which are read in parallel.
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    if (!searchParams.has('offset')) return page(response, request, 5000);
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const padding = Buffer.alloc(2 ** 20, 0x20);
    for (let megabytes = 0; megabytes < 60; megabytes++) zip.write(padding);
    zip.end(pageAsAskedFor(request, 5000));
  },
  'a body that is shorter than it says': (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(START);
    setImmediate(() => response.destroy());
  },
  'a body that is longer than it says': (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${START}${MEGABYTE}`);
  },
  'headers without end': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const more = () => {
      while (socket && !socket.destroyed && socket.write(`x-header: ${'x'.repeat(1000)}\r\n`));
    };
    socket?.on('drain', more);
    more();
  },
  'a body that drips': (response) => {
    response.write(START);
    const drop = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drop));
  },
  'headers that drip': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nx-drip: ');
    const drop = setInterval(() => socket?.write('x'), 20);
    socket?.on('close', () => clearInterval(drop));
  },
  'no answer': () => {},
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

export const SCENARIOS = Object.keys(ANSWERS);

export interface Malicious {
  /** The base address at which a scenario is played. */
  baseUrl(scenario: string): string;
  /** How often each was asked. */
  asked(scenario: string): number;
  close(): Promise<void>;
}

export async function startMalicious(): Promise<Malicious> {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const scenario = decodeURIComponent(request.url?.split('/')[1] ?? '');
    const count = (counts.get(scenario) ?? 0) + 1;
    counts.set(scenario, count);
    response.on('error', () => {});
    ANSWERS[scenario]?.(response, request, count);
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
    asked: (scenario) => counts.get(scenario) ?? 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
