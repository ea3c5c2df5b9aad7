import { errorResponse, retryAfterHeader } from './http-error.ts';
import { bytesResponse, JSON_HEADERS, textResponse } from './responses.ts';

/** The request that `match` of a fault is called with. */
export interface FaultRequest {
  readonly method: string;
  /** From the root: `/v1/contents`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Fault {
  /** Default: every request. */
  readonly match?: ((request: FaultRequest) => boolean) | undefined;
  /** How often it happens; 0: never. Default: 1. */
  readonly times?: number | undefined;
  readonly kind: FaultKind;
}

export type FaultKind =
  /** Another response instead of the real one. Default body: that of §7. */
  | { readonly status: number; readonly retryAfter?: number | undefined; readonly body?: string | undefined }
  /** The connection ends before the response. */
  | 'reset'
  /** The connection ends in the middle of the body. */
  | 'cut'
  /** No response, until the client gives up. */
  | 'stall'
  /** A complete response with half of the JSON. */
  | 'truncate'
  /** 200 with an HTML page. */
  | 'html'
  /** 200 without a body. */
  | 'empty'
  | ((response: Response) => Response | Promise<Response>);

/** Failures to simulate. A request gets the first fault that matches it. */
export class Faults {
  #pending: { fault: Fault; left: number }[] = [];

  /** The faults that can still happen, and how often. */
  get pending(): readonly { readonly fault: Fault; readonly left: number }[] {
    return this.#pending;
  }

  /** Adds a fault and returns a function that removes it. */
  add(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? 1 };
    if (entry.left > 0) this.#pending.push(entry);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
  }

  clear(): void {
    this.#pending = [];
  }

  take(request: FaultRequest): FaultKind | undefined {
    const entry = this.#pending.find(({ fault }) => fault.match?.(request) ?? true);
    if (!entry) return undefined;
    if (--entry.left <= 0) this.#pending = this.#pending.filter((other) => other !== entry);
    return entry.fault.kind;
  }
}

/** The response of a fault that replaces the real one; `undefined` for faults that change the real one. */
export async function respondWithFault(kind: FaultKind, signal: AbortSignal): Promise<Response | undefined> {
  if (typeof kind === 'function' || kind === 'cut' || kind === 'truncate') return undefined;
  if (kind === 'reset') throw new TypeError('fetch failed');
  if (kind === 'stall') return stall(signal);
  if (kind === 'empty') return textResponse('', { status: 200, headers: JSON_HEADERS });
  if (kind === 'html') return textResponse(PAGE, { status: 200, headers: HTML_HEADERS });
  if (kind.body === undefined) return errorResponse(kind);
  const headers = { ...JSON_HEADERS, ...retryAfterHeader(kind) };
  return textResponse(kind.body, { status: kind.status, headers });
}

/** The real response, damaged. */
export async function damageResponse(kind: FaultKind, response: Response): Promise<Response> {
  if (typeof kind === 'function') return kind(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = bytes.slice(0, Math.floor(bytes.length / 2));
  const headers = Object.fromEntries(response.headers);
  if (kind === 'truncate') return bytesResponse(half, { status: response.status, headers });
  // The content length stays that of the whole body, so that a client can detect it.
  return new Response(streamThatFails(half), { status: response.status, headers });
}

function streamThatFails(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
}

const PAGE = '<!doctype html><title>Service unavailable</title><h1>Please try again later</h1>';
const HTML_HEADERS = { 'content-type': 'text/html; charset=utf-8' };

function stall(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
