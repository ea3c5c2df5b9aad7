import { serveAsset } from '../assets/serve-asset.ts';
import { loadFormats } from '../flexible-text/text-formats.ts';
import { MissingPackageError } from '../optional-package.ts';
import { type ReadRequest, readById, readList } from '../read/read-contents.ts';
import type { SeedKey } from '../state/seed-types.ts';
import { handleWrite } from '../write/write-routes.ts';
import { FIRST_POP } from './cdn.ts';
import type { EmulatorContext } from './emulator-context.ts';
import { badRequest, errorResponse, HttpError, notFound } from './http-error.ts';
import type { LogEntry } from './request-log.ts';
import { limitResponse } from './response-limits.ts';
import { bytesResponse, JSON_HEADERS, jsonResponse } from './responses.ts';
import { welcomeResponse } from './welcome-page.ts';

/** What is logged of a request, filled in while it is handled. */
type LogDetails = { -readonly [K in 'cdn' | 'counted' | 'key' | 'remaining']: LogEntry[K] };

interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly context: EmulatorContext;
  readonly details: LogDetails;
}

const MAX_URL_LENGTH = 100_000;
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const WRITE_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Responds to any request to the origin, the API or the assets. Throws only if the request is aborted. */
export async function handleRequest(request: Request, url: URL, context: EmulatorContext) {
  const details: LogDetails = { cdn: 'pass', counted: false, key: undefined, remaining: undefined };
  try {
    return { response: await route({ request, url, context, details }), ...details };
  } catch (error) {
    // The client has given up.
    request.signal.throwIfAborted();
    if (!(error instanceof HttpError) || error instanceof MissingPackageError) context.onError(error);
    return { response: errorResponse(error instanceof HttpError ? error : { status: 500 }), ...details };
  }
}

async function route(exchange: Exchange): Promise<Response> {
  const { request, url, context, details } = exchange;
  const isRead = READ_METHODS.has(request.method);
  if (url.pathname.startsWith('/assets/') && isRead) return serveAsset(request, url, context);
  const welcome =
    isRead && !request.headers.has(context.header) ? welcomeResponse(request, url, context) : undefined;
  if (welcome) return welcome;
  const key = authenticate(request, context);
  details.key = [...context.state.keys.keys()].indexOf(key.key);
  if (WRITE_METHODS.has(request.method)) return respondToWrite(exchange, key);
  if (!isRead) throw notFound();
  return respondToRead(exchange, key);
}

/** Counts a request that reaches the origin. */
function countRequest(key: SeedKey, kind: 'read' | 'write', { context, details }: Exchange): void {
  // In case `count` throws: then nothing remains.
  details.remaining = context.rateLimit && 0;
  details.remaining = context.rateLimit?.count(key.key, kind, context.now());
  details.counted = true;
}

async function respondToWrite(exchange: Exchange, key: SeedKey): Promise<Response> {
  countRequest(key, 'write', exchange);
  const { request, url, context } = exchange;
  if (url.href.length > MAX_URL_LENGTH) throw badRequest();
  const result = await handleWrite(request, url, key, context);
  return jsonResponse(result, { status: 200, headers: { 'cache-control': 'no-store' } });
}

async function respondToRead(exchange: Exchange, key: SeedKey): Promise<Response> {
  const { request, url, context, details } = exchange;
  const cdn = key.reads === 'published' ? context.cdn : undefined;
  const pop = request.headers.get('x-luid-pop') ?? FIRST_POP;
  const path = url.pathname + url.search;
  const cached = cdn?.find(pop, key.key, path, context.now());
  if (cached) {
    details.cdn = 'hit';
    details.remaining = context.rateLimit?.remaining(key.key, 'read', context.now());
    return contentResponse(cached, key, 'HIT');
  }
  if (cdn) details.cdn = 'miss';
  countRequest(key, 'read', exchange);
  await loadFormats(requestedFormats(url));
  await context.beforeRead?.(request);
  const content = read(url, key, context);
  const body = new TextEncoder().encode(JSON.stringify(content));
  await limitResponse(context, { content, bytes: body.byteLength, signal: request.signal });
  cdn?.store(pop, key.key, path, body, context.now());
  return contentResponse(body, key, cdn ? 'MISS' : 'PASS');
}

/** §5: the key of a request. */
function authenticate(request: Request, { state, header }: EmulatorContext): SeedKey {
  const key = state.keys.get(request.headers.get(header) ?? '');
  if (!key) throw new HttpError(401);
  return key;
}

function read(url: URL, key: SeedKey, context: EmulatorContext): unknown {
  if (url.href.length > MAX_URL_LENGTH) throw badRequest();
  const [, id] = /^\/v1\/contents(?:\/([^/]+))?\/?$/.exec(url.pathname) ?? [undefined, null];
  if (id === null) throw notFound();
  const parameters = new Map(url.searchParams);
  const request: ReadRequest = { ...context, assumptions: context.assumptions(), key, parameters };
  return id === undefined ? readList(request) : readById(id, request);
}

/** The values of all `[format]` parameters, valid or not. */
function* requestedFormats(url: URL): Iterable<string> {
  for (const [name, value] of url.searchParams) if (name.endsWith('[format]')) yield value;
}

type CacheStatus = 'HIT' | 'MISS' | 'PASS';

function contentResponse(body: Uint8Array<ArrayBuffer>, { reads }: SeedKey, cache: CacheStatus): Response {
  const control = reads === 'published' ? 'public, max-age=0, s-maxage=2592000' : 'private, no-store';
  const headers = { ...JSON_HEADERS, 'cache-control': control, 'x-cache': cache };
  return bytesResponse(body, { status: 200, headers });
}
