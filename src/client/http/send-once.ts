import { isDeeper } from '../../contract/nesting.ts';
import { LuidError } from '../../shared/errors.ts';
import type { ClientRequest, SentRequest } from './client-request.ts';
import { runAfter } from './clock.ts';
import { type Connection, DEFAULT_TIMEOUT, type ReadResponse } from './connection.ts';
import { describeNetworkError } from './errors/explain-failure.ts';
import { describeTimeout, networkError } from './errors/request-errors.ts';
import { errorResponse, invalidResponse } from './errors/response-errors.ts';
import type { ByteBudget, ByteCount } from './limits/byte-budget.ts';
import { untilAborted } from './limits/until-aborted.ts';

export interface OutgoingRequest extends SentRequest {
  readonly body?: BodyInit | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly recognize?: ClientRequest['recognize'];
}

export interface JsonResponse {
  /** The parsed body, or what `recognize` returned for it. */
  readonly json: unknown;
  readonly isRecognized: boolean;
  /** Whether the response came from the CDN, according to its headers. */
  readonly cached: boolean;
}

/** Far more than a page of 100 items; keeps an endless response from filling the memory. */
const MAX_RESPONSE_BYTES = 64 * 2 ** 20;

/** Far deeper than content; keeps recursive code from overflowing the stack. */
const MAX_NESTING = 500;

/** Sends a request once and reads its response. `onErrorResponse` is called for every status but 2xx. */
export async function sendOnce(
  connection: Connection,
  request: OutgoingRequest,
  budget: ByteBudget,
  onErrorResponse: (response: ReadResponse) => void,
): Promise<JsonResponse> {
  // One signal for both, which costs less than `AbortSignal.any`.
  const end = new AbortController();
  const { signal } = end;
  let isLate = false;
  const abort = () => end.abort(request.signal?.reason);
  const timeout = connection.network.timeout ?? DEFAULT_TIMEOUT;
  let received: ByteCount | undefined;
  let responseStarted = false;

  const endLate = () => {
    isLate = true;
    end.abort();
  };
  // A response cannot start while a file is being sent.
  const isUpload = request.body !== undefined && request.body instanceof FormData;
  const timeToStart = isUpload ? timeout : timeout / 2;
  const cancelStart = runAfter(connection.clock, timeToStart, endLate);
  const cancelEnd = runAfter(connection.clock, timeout, endLate);

  try {
    request.signal?.throwIfAborted();
    request.signal?.addEventListener('abort', abort);
    const { fetch, fetchContent = fetch } = connection;
    const pending = fetchContent(request.url, {
      method: request.method,
      headers: {
        [connection.apiKeyHeader]: connection.apiKey,
        accept: 'application/json',
        ...(request.contentType && { 'content-type': request.contentType }),
      },
      ...(request.body !== undefined && { body: request.body }),
      // Following a redirect would send the key to its target.
      redirect: 'manual',
      signal,
    });
    const response = await responseOf(pending, signal);
    responseStarted = true;
    cancelStart();
    received = budget.open();
    const body = readBytes(response, received, signal, () =>
      invalidResponse(connection, request, 'the response is too large'),
    );
    if (!response.ok) {
      onErrorResponse(response);
      // The status says more than a body that is cut off or too late.
      throw errorResponse(connection, request, response, await body.then(decode, () => ''));
    }
    const bytes = await body;
    const recognized = request.recognize?.(bytes);
    return {
      json: recognized ?? parseJson(connection, request, decode(bytes)),
      isRecognized: recognized !== undefined,
      cached: /\bhit\b/i.test(response.headers.get('x-cache') ?? ''),
    };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (LuidError.is(error)) throw error;
    if (isLate) {
      const allowed = responseStarted ? timeout : timeToStart;
      throw networkError(connection, request, describeTimeout(allowed, responseStarted));
    }
    throw networkError(connection, request, describeNetworkError(error, responseStarted), error);
  } finally {
    received?.close();
    request.signal?.removeEventListener('abort', abort);
    cancelStart();
    cancelEnd();
  }
}

/** Not every `fetch` ends with its signal. A response that comes later is not read. */
async function responseOf(pending: Promise<ReadResponse>, signal: AbortSignal): Promise<ReadResponse> {
  try {
    return await untilAborted(Promise.resolve(pending), signal);
  } catch (error) {
    pending.then(({ body }) => body?.cancel()).catch(() => {});
    throw error;
  }
}

/** Reads the whole body. Not every `fetch` aborts the body with its signal, so this does. */
async function readBytes(
  response: ReadResponse,
  received: ByteCount,
  signal: AbortSignal,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array();
  const cancel = () => void reader.cancel().catch(() => {});
  const stop = () => {
    cancel();
    // Also ends a wait for other responses.
    received.close();
  };
  if (Number(response.headers.get('content-length')) > MAX_RESPONSE_BYTES) {
    stop();
    throw tooLarge();
  }
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const parts: Uint8Array[] = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > MAX_RESPONSE_BYTES) throw tooLarge();
      parts.push(part.value);
      const wait = received.add(part.value.byteLength);
      if (wait) await wait;
    }
    signal.throwIfAborted();
    return joinBytes(parts, size);
  } finally {
    signal.removeEventListener('abort', stop);
    cancel();
  }
}

function decode(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/** Decoding all of them at once is much faster than one by one. */
function joinBytes(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function parseJson(connection: Connection, request: SentRequest, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const problem = text === '' ? 'the response is empty' : 'the response is not valid JSON';
    throw invalidResponse(connection, request, problem, cause);
  }
  if (!isDeeper(json, MAX_NESTING)) return json;
  throw invalidResponse(connection, request, `the response is nested deeper than ${MAX_NESTING} levels`);
}
