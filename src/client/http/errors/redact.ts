import { printable } from '../../../shared/printable.ts';
import type { SentRequest } from '../client-request.ts';
import type { Connection } from '../connection.ts';

/** Characters of a request or response that a message quotes. */
const MAX_QUOTED = 300;

/** How the messages of errors begin. */
export function requestLine(connection: Connection, { method, url }: SentRequest): string {
  return `[${method}] ${redactUrl(connection, url)}`;
}

/** Part of a request or response, safe to print. */
export function quote(connection: Connection, text: string): string {
  return printable(redactKey(connection, text), MAX_QUOTED);
}

export function redactUrl(connection: Connection, url: string): string {
  return redactKey(connection, url.replace(/^(\w+:\/\/)[^/@]*@/, '$1'));
}

/** The key may be quoted as it is, in JSON, in a URL or in its query. */
export function redactKey({ apiKey }: Connection, text: string): string {
  const inQuery = new URLSearchParams([['', apiKey]]).toString().slice(1);
  const forms = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey), inQuery];
  return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

/** Replaces a cause that contains the key or unprintable characters. */
export function redactCause(connection: Connection, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const inner = redactCause(connection, cause.cause);
  const message = quote(connection, cause.message);
  const stack = cause.stack ?? '';
  const isClean = message === cause.message && redactKey(connection, stack) === stack;
  if (isClean && inner === cause.cause) return cause;
  const redacted = new Error(message, inner === undefined ? {} : { cause: inner });
  redacted.name = cause.name;
  return redacted;
}
