import { createHash, timingSafeEqual } from 'node:crypto';
import type { SlidingWindow } from '../../client/http/limits/sliding-window.ts';
import { errorMessage } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import { LONG_SECRET } from '../../space/environment/secret-length.ts';

/** Where a site is told to look for changes now. */
export const REFRESH_PATH = '/_luid/refresh';
/** The header with the secret, accepted whatever other one is configured. */
export const DEFAULT_HEADER = 'x-luid-secret';

export interface RefreshHandlerOptions {
  /** The hash of the secret. Without a secret there is no endpoint. */
  readonly findSecretHash: () => Promise<Buffer | undefined>;
  /** A header with the secret, besides those that are always accepted. */
  readonly header?: string | undefined;
  /** Called with the body of an event, whose content is only a hint. Returns what changed, or throws. */
  readonly refresh: (body: string) => Promise<object>;
  /** Limits wrong secrets. */
  readonly refusals?: SlidingWindow | undefined;
  readonly logger: { error(message: string): void };
}

type Headers = Readonly<Record<string, string>>;

/** A refresh that is not made, and the response that says why. */
export class RefreshRefused extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** `wait`: milliseconds until the next request is allowed. */
function tooManyRequests(wait: number): RefreshRefused {
  return new RefreshRefused(429, 'too many requests', { 'retry-after': String(Math.ceil(wait / 1000)) });
}

/** At most the name of a model is read from it. */
const MAX_BODY_BYTES = 64 * 1024;

/** `POST /_luid/refresh`, of the dev server or of a built one: responds when the content is refreshed. */
export async function handleRefresh(request: Request, options: RefreshHandlerOptions): Promise<Response> {
  try {
    const body = await checkRequest(request, options);
    return respond(200, { refreshed: true, ...(await options.refresh(body)) });
  } catch (error) {
    if (error instanceof RefreshRefused) return failure(error);
    options.logger.error(`The refresh failed: ${printableLines(errorMessage(error))}`);
    return failure(new RefreshRefused(502, 'the refresh failed: see the log of the server'));
  }
}

/** Returns the body of a request that is accepted. */
async function checkRequest(
  request: Request,
  { findSecretHash, header = DEFAULT_HEADER, refusals }: RefreshHandlerOptions,
): Promise<string> {
  const secretHash = await findSecretHash();
  if (!secretHash) {
    throw new RefreshRefused(404, `set refreshSecret or LUID_REFRESH_SECRET to ${LONG_SECRET}`);
  }
  if (request.method !== 'POST') throw new RefreshRefused(405, 'send a POST request', { allow: 'POST' });
  const secret = secretOf(request, header);
  // Compared before the limit is checked: wrong secrets must not block the webhook.
  if (!timingSafeEqual(hashSecret(secret), secretHash)) {
    const wait = secret === '' ? 0 : (refusals?.delay() ?? 0);
    if (wait > 0) throw tooManyRequests(wait);
    if (secret !== '') refusals?.add();
    throw new RefreshRefused(401, `send the secret as ${header}, or as authorization: Bearer`);
  }
  const body = await readShort(request).catch(() => {
    throw new RefreshRefused(400, 'the body is incomplete');
  });
  if (body === undefined) {
    throw new RefreshRefused(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  }
  return body;
}

/** Two hashes take the same time to compare wherever, and in whatever length, the secrets differ. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function secretOf({ headers }: Request, header: string): string {
  const bearer = /^bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim();
  return headers.get(header) ?? headers.get(DEFAULT_HEADER) ?? bearer ?? '';
}

/** `undefined` if the body is too long. */
async function readShort({ headers, body }: Request): Promise<string | undefined> {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return undefined;
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Not cancelled if it is not read to its end: that would end the connection.
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function failure({ status, message, headers }: RefreshRefused): Response {
  // The rest of a body that was refused is not read.
  return respond(status, { refreshed: false, error: message }, { connection: 'close', ...headers });
}

function respond(status: number, body: object, headers: Headers = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** The hint of an error is on a line of its own. */
function printableLines(message: string): string {
  return message
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
}
