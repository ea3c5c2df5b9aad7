import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Connection, ReadResponse } from '../client/http/connection.ts';

/**
 * What a load reads content with, by `node:http`: a request takes half the CPU time of `fetch`, and starting `fetch` as much
 * as everything else in the load of a small space. `undefined` if `fetch` was replaced, or may use a proxy.
 */
export function nodeFetch(): Connection['fetchContent'] {
  return isOfNode(globalThis.fetch) && !mayUseProxy() ? send : undefined;
}

/** Its source shows it; if a later Node has another, `fetch` is used. */
function isOfNode(fetch: unknown): boolean {
  return String(fetch).includes('internal/deps/undici');
}

/** Settings of Node for its `fetch`, and a dispatcher that the site has set. */
function mayUseProxy(): boolean {
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = '' } = process.env;
  const dispatcher = (globalThis as { [name: symbol]: object | undefined })[
    Symbol.for('undici.globalDispatcher.1')
  ];
  const options = [...process.execArgv, NODE_OPTIONS].join(' ');
  const isOwn = dispatcher === undefined || dispatcher.constructor.name === 'Agent';
  return !isOwn || Boolean(NODE_USE_ENV_PROXY) || options.includes('--use-env-proxy');
}

function send(url: string, { headers, signal }: RequestInit): Promise<ReadResponse> {
  const { get } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  // `fetch` names itself so; a firewall may refuse requests without it.
  const sent = {
    ...(headers as Record<string, string>),
    'user-agent': 'node',
    'accept-encoding': 'gzip, br',
  };
  return new Promise((resolve, reject) => {
    get(url, { headers: sent, signal: signal ?? undefined })
      .on('error', reject)
      .on('response', (message) => resolve(responseOf(message)));
  });
}

/** A real `Response` would start `fetch`. */
function responseOf(message: IncomingMessage): ReadResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  const body = decoded(message);
  const cancel = async () => void body.destroy();
  return {
    status,
    statusText,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    body: {
      getReader() {
        const parts = body[Symbol.asyncIterator]();
        return { read: () => parts.next(), cancel };
      },
      cancel,
    },
  };
}

function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding'];
  if (encoding !== 'gzip' && encoding !== 'br') return message;
  const { createGunzip, createBrotliDecompress } = process.getBuiltinModule('node:zlib');
  const decoder = encoding === 'gzip' ? createGunzip() : createBrotliDecompress();
  // An error of the message ends the decoder with it.
  return process.getBuiltinModule('node:stream').pipeline(message, decoder, () => {});
}
