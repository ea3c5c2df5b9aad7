import { setTimeout } from 'node:timers/promises';
import { isRecord } from '../../shared/is-record.ts';
import { HttpError } from './http-error.ts';

// The real service limits the size of a response and its time; what it sends instead of a larger one is not documented.

export interface ResponseLimits {
  /** Maximum bytes of a response with content; a longer one is a 500. */
  readonly maxResponse: number;
  /** Milliseconds by which a list is delayed for each of its items. */
  readonly timePerItem: number;
}

/** Delays a response with content, or throws if it is too large. */
export async function limitResponse(
  { maxResponse, timePerItem }: ResponseLimits,
  {
    content,
    bytes,
    signal,
  }: { readonly content: unknown; readonly bytes: number; readonly signal: AbortSignal },
): Promise<void> {
  const items = isRecord(content) && Array.isArray(content.data) ? content.data.length : 1;
  await delay(timePerItem * items, signal);
  if (bytes > maxResponse) throw new HttpError(500);
}

export function delay(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (!(ms > 0)) return undefined;
  return setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
