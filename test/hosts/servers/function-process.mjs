// Starts a function as its host does: node function-process.mjs netlify|vercel FILE. What it purges is sent to CDN_PURGE_URL.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

const [host, file] = process.argv.slice(2);
const pending = new Set();
const { fetch } = globalThis;

function waitUntil(work) {
  const settled = Promise.resolve(work)
    .catch((error) => console.error(error))
    .finally(() => pending.delete(settled));
  pending.add(settled);
}

const purge = (tags) => fetch(process.env.CDN_PURGE_URL, { method: 'POST', body: JSON.stringify(tags) });

const HOSTS = {
  netlify({ default: handler }) {
    globalThis.fetch = (input, init) =>
      input === 'https://api.netlify.com/api/v1/purge'
        ? purge(JSON.parse(init.body).cache_tags)
        : fetch(input, init);
    return (request) => handler(request, { waitUntil, ip: '127.0.0.1' });
  },
  vercel({ default: handler }) {
    const context = { waitUntil, purge: { invalidateByTag: (tag) => purge([tag].flat()) } };
    globalThis[Symbol.for('@vercel/request-context')] = { get: () => context };
    return (request) => handler.fetch(request);
  },
};

const respond = HOSTS[host](await import(pathToFileURL(file).href));

async function handle(incoming, outgoing) {
  const { method, url, headers } = incoming;
  if (url === '/.host/settled') {
    while (pending.size > 0) await Promise.all(pending);
    outgoing.end();
    return;
  }
  const leaving = new AbortController();
  outgoing.on('close', () => leaving.abort());
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    ),
    signal: leaving.signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
  const response = await respond(request);
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {});
  else outgoing.end();
}

const server = createServer((incoming, outgoing) => {
  handle(incoming, outgoing).catch((error) => {
    console.error(error);
    outgoing.destroy();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port} `));
