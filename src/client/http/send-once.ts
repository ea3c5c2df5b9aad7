import { isDeeper } from '../../contract/nesting.ts';
import type { ByteBudget, ByteCount } from './byte-budget.ts';
import type { Connection } from './connection.ts';
import { networkFailure, timedOut } from './network-problem.ts';
import { type Asked, malformed, refused, unanswered } from './request-errors.ts';

export interface Attempt extends Asked {
  readonly body?: BodyInit | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT = 30_000;

/** A page of 100 items is far below this; a service that sends without end must not fill the memory. */
const LARGEST_RESPONSE = 64 * 2 ** 20;

/** Content is some tens of levels deep; whatever works on much more would end at the end of the stack. */
const DEEPEST_ANSWER = 500;

/** A refusal that says when to come back, if it does. */
export interface Answer {
  readonly json: unknown;
  /** Whether the answer came from the CDN, as far as its headers tell. */
  readonly cached: boolean;
}

/** One request, from its first byte to the last of its answer. Throws what happened instead. */
export async function attempt(
  connection: Connection,
  ask: Attempt,
  bytes: ByteBudget,
  onRefusal: (response: Response) => void,
): Promise<Answer> {
  const deadline = new AbortController();
  const signal = ask.signal ? AbortSignal.any([ask.signal, deadline.signal]) : deadline.signal;
  const done = new AbortController();
  const timeout = connection.network.timeout ?? DEFAULT_TIMEOUT;
  let received: ByteCount | undefined;
  let answering = false;

  const expire = (after: number, still: () => boolean) =>
    connection.clock.sleep(after, done.signal).then(
      () => still() && deadline.abort(),
      () => {},
    );
  expire(timeout / 2, () => !answering);
  expire(timeout, () => true);

  try {
    const response = await connection.fetch(ask.url, {
      method: ask.method,
      headers: {
        [connection.apiKeyHeader]: connection.apiKey,
        accept: 'application/json',
        ...(ask.contentType && { 'content-type': ask.contentType }),
      },
      ...(ask.body !== undefined && { body: ask.body }),
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal,
    });
    answering = true;
    received = bytes.open();
    const text = await readText(response, received, signal, () =>
      malformed(connection, ask, 'the response is too large'),
    );
    if (!response.ok) {
      onRefusal(response);
      throw refused(connection, ask, response, text);
    }
    return {
      json: parse(connection, ask, text),
      cached: /\bhit\b/i.test(response.headers.get('x-cache') ?? ''),
    };
  } catch (error) {
    ask.signal?.throwIfAborted();
    if (deadline.signal.aborted) {
      throw unanswered(connection, ask, timedOut(answering ? timeout : timeout / 2, answering));
    }
    if (isOurs(error)) throw error;
    throw unanswered(connection, ask, networkFailure(error, answering), error);
  } finally {
    received?.close();
    done.abort();
  }
}

/** What `failure.ts` made is final; all else is what the network did. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Luid');
}

/** The whole body. Not every `fetch` ties the body to its signal, so the reading ends with it by itself. */
async function readText(
  response: Response,
  received: ByteCount,
  signal: AbortSignal,
  tooLarge: () => Error,
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const cancel = () => void reader.cancel().catch(() => {});
  const stop = () => {
    cancel();
    // Ends a wait for others, too.
    received.close();
  };
  if (Number(response.headers.get('content-length')) > LARGEST_RESPONSE) {
    stop();
    throw tooLarge();
  }
  signal.addEventListener('abort', stop);
  try {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > LARGEST_RESPONSE) throw tooLarge();
      text += decoder.decode(part.value, { stream: true });
      const others = received.add(part.value.byteLength);
      if (others) await others;
    }
    signal.throwIfAborted();
    return text + decoder.decode();
  } finally {
    signal.removeEventListener('abort', stop);
    cancel();
  }
}

function parse(connection: Connection, ask: Attempt, text: string): unknown {
  const json = parseText(connection, ask, text);
  if (!isDeeper(json, DEEPEST_ANSWER)) return json;
  throw malformed(connection, ask, `the response is nested more than ${DEEPEST_ANSWER} levels deep`);
}

function parseText(connection: Connection, ask: Attempt, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(
      connection,
      ask,
      text === '' ? 'the response is empty' : 'the response is not valid JSON',
      cause,
    );
  }
}
