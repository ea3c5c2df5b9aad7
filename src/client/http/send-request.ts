import pRetry from 'p-retry';
import { LuidError } from '../../errors.ts';
import { canonicalUrl, type QueryParameters } from './canonical-url.ts';
import type { Connection } from './connection.ts';
import { type Kind, type Limiter, limiterOf } from './rate-limiter.ts';
import { malformed, type Problem } from './request-errors.ts';
import { type Attempt, attempt } from './send-once.ts';

/** What a caller may say about how a request is made. */
export interface RequestOptions {
  /** Ends the request, its retries and its place in the queue at once. */
  readonly signal?: AbortSignal | undefined;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly parameters?: QueryParameters;
  readonly body?: BodyInit;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** Shared by the requests of one piece of work: how often all of them together may be tried again. */
  readonly budget?: RetryBudget | undefined;
  /** Refuses an answer of the wrong shape, which is then asked for again as a broken one is. */
  readonly check?: (json: unknown) => string | Problem | undefined;
  readonly onAnswer?: ((answer: { cached: boolean }) => void) | undefined;
  /** Told of an error that no retry can help, before any other request takes its turn. */
  readonly onRefusal?: ((error: unknown) => void) | undefined;
  /** Told that the request is sent once more. */
  readonly onRetry?: (() => void) | undefined;
  /** Told that the request is held back, for as long as this takes. */
  readonly onWait?: ((over: Promise<unknown>) => void) | undefined;
}

export interface RetryBudget {
  retriesLeft: number;
}

const DEFAULT_RETRIES = 5;
/** Being told to wait is no failure of the service, so it does not use up the retries; but it has an end. */
const MOST_PAUSES = 10;
const FIRST_DELAY = 250;
const LONGEST_DELAY = 8_000;

/** Sends a request in its turn, again after what passes, and gives the JSON of the answer. */
export async function request(connection: Connection, ask: Ask): Promise<unknown> {
  const limiter = limiterOf(connection);
  const kind: Kind = ask.method === 'GET' ? 'read' : 'write';
  const { path, parameters = {}, ...rest } = ask;
  const sent: Attempt = { ...rest, parameters, url: canonicalUrl(connection.baseUrl, path, parameters) };
  let pauses = 0;
  const onResponse = (response: Response) => {
    if (response.status === 429) pauseFor(limiter, connection, response, ++pauses);
  };

  const send = async () => {
    try {
      return await attempt(connection, sent, limiter.bytes, onResponse);
    } catch (error) {
      if (!isTooMany(error) && !mayPass(error, kind)) ask.onRefusal?.(error);
      throw error;
    }
  };

  return pRetry(
    async () => {
      const answer = await limiter.turn(kind, send, ask);
      const problem = ask.check?.(answer.json);
      if (problem) throw malformed(connection, sent, problem);
      ask.onAnswer?.(answer);
      return answer.json;
    },
    {
      retries: connection.network.retries ?? DEFAULT_RETRIES,
      // The delays are ours: on our clock, and anywhere between nothing and the longest (full jitter).
      minTimeout: 0,
      ...(ask.signal && { signal: ask.signal }),
      shouldConsumeRetry: ({ error }) => !isTooMany(error) || pauses > MOST_PAUSES,
      shouldRetry: async ({ error, retriesConsumed }) => {
        const isHeldBack = isTooMany(error);
        if (isHeldBack ? pauses > MOST_PAUSES : !mayPass(error, kind) || !spend(ask.budget)) return false;
        ask.onRetry?.();
        if (isHeldBack) return true;
        const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (retriesConsumed + 1));
        const delay = connection.clock.sleep(Math.random() * longest, ask.signal);
        ask.onWait?.(delay);
        await delay;
        return true;
      },
    },
  );
}

function isTooMany(error: unknown): boolean {
  return LuidError.is(error) && error.status === 429;
}

/** What may go well the next time. A write must not be sent again once it may have been carried out. */
function mayPass(error: unknown, kind: Kind): boolean {
  if (!LuidError.is(error)) return false;
  const { status } = error;
  if (kind === 'write') return status === undefined && neverLeft(error);
  // 501: what is not implemented will not be a moment later either.
  if (status === 501) return false;
  return status === undefined || status === 200 || status === 408 || status === 425 || status >= 500;
}

/** Codes of Node's `fetch` for connections that were never made. Elsewhere nobody can tell. */
const NEVER_LEFT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function neverLeft(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (NEVER_LEFT.includes(String((cause as { code?: unknown }).code))) return true;
  }
  return false;
}

function spend(budget: RetryBudget | undefined): boolean {
  if (!budget) return true;
  budget.retriesLeft -= 1;
  return budget.retriesLeft >= 0;
}

/** As long as `retry-after` says, in seconds or as a date; else longer each time. */
function pauseFor(limiter: Limiter, { clock }: Connection, response: Response, times: number): void {
  const header = response.headers.get('retry-after')?.trim() ?? '';
  // Without a time of day in it, `Date.parse` would take any number for a year.
  const date = header.includes(':') ? Date.parse(header) : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (date - clock.now()) / 1000;
  limiter.pause((Number.isNaN(seconds) ? 2 ** times : seconds) * 1000);
}
