import { readAsset } from '../assets/assets.ts';
import { loadFormats } from '../fields/formats.ts';
import { MissingPackage } from '../optional.ts';
import { type Reading, readList, readOne } from '../read/read.ts';
import type { SeedKey } from '../state/seed.ts';
import { write } from '../write/write.ts';
import { FIRST_POP } from './cdn.ts';
import { badRequest, notFound, Refusal, refusalResponse } from './refusal.ts';
import { bytesResponse, JSON_HEADERS, jsonResponse } from './responses.ts';
import type { House } from './service-context.ts';
import { welcomeResponse } from './welcome.ts';

/** Logged per request, as far as it is known. */
interface Seen {
  cdn: 'hit' | 'miss' | 'pass';
  counted: boolean;
  key: number | undefined;
  remaining: number | undefined;
}

export interface Answer extends Readonly<Seen> {
  readonly response: Response;
}

/** Longer URLs are refused. */
const LONGEST_URL = 100_000;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Answers any request to the origin, the API or the assets. Never throws. */
export async function answer(request: Request, url: URL, house: House): Promise<Answer> {
  const seen: Seen = { cdn: 'pass', counted: false, key: undefined, remaining: undefined };
  try {
    return { response: await route(request, url, house, seen), ...seen };
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof MissingPackage) house.onError(error);
    return { response: refusalResponse(error instanceof Refusal ? error : { status: 500 }), ...seen };
  }
}

async function route(request: Request, url: URL, house: House, seen: Seen): Promise<Response> {
  const isRead = READS.has(request.method);
  if (url.pathname.startsWith('/assets/') && isRead) {
    return readAsset(request, url, house);
  }
  const welcome =
    isRead && !request.headers.has(house.header) ? welcomeResponse(request, url, house) : undefined;
  if (welcome) return welcome;
  const key = authenticate(request, house);
  seen.key = [...house.state.keys.keys()].indexOf(key.key);
  if (WRITES.has(request.method)) return respondToWrite(request, url, key, house, seen);
  if (!isRead) throw notFound();
  return respondToRead(request, url, key, house, seen);
}

/** Counts a request that reaches the origin. */
function count(key: SeedKey, kind: 'read' | 'write', { rate, now }: House, seen: Seen): void {
  // What is left if it is refused.
  seen.remaining = rate && 0;
  seen.remaining = rate?.count(key.key, kind, now());
  seen.counted = true;
}

async function respondToWrite(
  request: Request,
  url: URL,
  key: SeedKey,
  house: House,
  seen: Seen,
): Promise<Response> {
  count(key, 'write', house, seen);
  if (url.href.length > LONGEST_URL) throw badRequest();
  const result = await write(request, url, key, house);
  return jsonResponse(result, { status: 200, headers: { ...JSON_HEADERS, 'cache-control': 'no-store' } });
}

async function respondToRead(
  request: Request,
  url: URL,
  key: SeedKey,
  house: House,
  seen: Seen,
): Promise<Response> {
  const cdn = key.reads === 'published' ? house.cdn : undefined;
  const pop = request.headers.get('x-luid-pop') ?? FIRST_POP;
  const address = url.pathname + url.search;
  const copy = cdn?.find(pop, key.key, address, house.now());
  if (copy) {
    seen.cdn = 'hit';
    seen.remaining = house.rate?.remaining(key.key, 'read', house.now());
    return contentResponse(copy, key, 'HIT');
  }
  if (cdn) seen.cdn = 'miss';
  count(key, 'read', house, seen);
  await loadFormats(formatsAsked(url));
  await house.beforeRead?.(request);
  const body = new TextEncoder().encode(JSON.stringify(read(url, key, house)));
  cdn?.store(pop, key.key, address, body, house.now());
  return contentResponse(body, key, cdn ? 'MISS' : 'PASS');
}

/** §5: the key of a request. */
function authenticate(request: Request, { state, header }: House): SeedKey {
  const key = state.keys.get(request.headers.get(header) ?? '');
  if (!key) throw new Refusal(401);
  return key;
}

function read(url: URL, key: SeedKey, house: House): unknown {
  if (url.href.length > LONGEST_URL) throw badRequest();
  const [, id] = /^\/v1\/contents(?:\/([^/]+))?\/?$/.exec(url.pathname) ?? [undefined, null];
  if (id === null) throw notFound();
  const reading: Reading = { ...house, key, parameters: new Map(url.searchParams) };
  return id === undefined ? readList(reading) : readOne(id, reading);
}

/** Every format that a read may ask for, before it is known whether it does. */
function* formatsAsked(url: URL): Iterable<string> {
  for (const [name, value] of url.searchParams) if (name.endsWith('[format]')) yield value;
}

function contentResponse(
  body: Uint8Array<ArrayBuffer>,
  key: SeedKey,
  cache: 'HIT' | 'MISS' | 'PASS',
): Response {
  const control = key.reads === 'published' ? 'public, max-age=0, s-maxage=2592000' : 'private, no-store';
  return bytesResponse(body, {
    status: 200,
    headers: { ...JSON_HEADERS, 'cache-control': control, 'x-cache': cache },
  });
}
