import { createHash, timingSafeEqual } from 'node:crypto';
import { errorMessage } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { type RateLimit, RateLimitError } from './rate-limit.ts';

/** A request to the refresh endpoint, of the dev server or of a built one. */
export interface RefreshRequest {
  readonly method: string;
  header(name: string): string | undefined;
  /** The body. Must not be destroyed if it is not read to its end: that would end the connection. */
  body(): AsyncIterable<Uint8Array>;
}

export interface RefreshResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RefreshHandlerOptions {
  /** The hash of the secret. Without a secret there is no endpoint. */
  readonly findSecretHash: () => Promise<Buffer | undefined>;
  /** Returns what changed, or throws. */
  readonly refresh: () => Promise<object>;
  /** Limits wrong secrets. */
  readonly refusals?: RateLimit | undefined;
  readonly logger: { error(message: string): void };
}

/** Refusals that a refresh can report. */
export class RefreshRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The body of a webhook is ignored, so it has no reason to be long. */
const MAX_BODY_BYTES = 64 * 1024;

/** `POST /_luid/refresh`: responds when the content is refreshed. */
export async function handleRefresh(
  request: RefreshRequest,
  { findSecretHash, refresh, refusals, logger }: RefreshHandlerOptions,
): Promise<RefreshResponse> {
  const secretHash = await findSecretHash();
  if (!secretHash) return failure(404, 'no secret is set: set refreshSecret or LUID_REFRESH_SECRET');
  if (request.method !== 'POST') return failure(405, 'send a POST request', { allow: 'POST' });
  const secret = secretOf(request);
  // Compared before the limit is checked: wrong secrets must not block the webhook.
  if (!timingSafeEqual(hashSecret(secret), secretHash)) {
    if (secret !== '') {
      if (refusals && refusals.wait > 0) return tooMany(refusals.wait);
      refusals?.record();
    }
    return failure(401, 'send the secret as x-luid-secret, or as authorization: Bearer');
  }
  if (!(await isShort(request))) return failure(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  try {
    return respond(200, { refreshed: true, ...(await refresh()) });
  } catch (error) {
    if (error instanceof RateLimitError) return tooMany(error.wait);
    if (error instanceof RefreshRefused) return failure(error.status, error.message);
    logger.error(`The refresh failed: ${printableLines(errorMessage(error))}`);
    return failure(502, 'the refresh failed: see the log of the server');
  }
}

/** Two hashes take the same time to compare wherever, and in whatever length, the secrets differ. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function secretOf(request: RefreshRequest): string {
  const header = request.header('x-luid-secret');
  if (header !== undefined) return header;
  return /^bearer\s+(.+)$/i.exec(request.header('authorization') ?? '')?.[1]?.trim() ?? '';
}

async function isShort(request: RefreshRequest): Promise<boolean> {
  if (Number(request.header('content-length') ?? 0) > MAX_BODY_BYTES) return false;
  let size = 0;
  for await (const chunk of request.body()) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return false;
  }
  return true;
}

function tooMany(wait: number): RefreshResponse {
  return failure(429, 'too many requests', { 'retry-after': String(Math.ceil(wait / 1000)) });
}

function failure(status: number, error: string, headers: Record<string, string> = {}): RefreshResponse {
  // The rest of a body that was refused is not read.
  return respond(status, { refreshed: false, error }, { connection: 'close', ...headers });
}

function respond(status: number, body: object, headers: Record<string, string> = {}): RefreshResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

/** The hint of an error is on a line of its own. */
function printableLines(message: string): string {
  return message
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
}
