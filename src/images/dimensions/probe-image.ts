import type { Clock } from '../../client/http/clock.ts';
import { readSize } from './image-header.ts';
import type { KnownSize } from './known-dimensions.ts';

export interface ProbeOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeout: number;
}

/** A picture whose size cannot be told. */
export class ProbeFailure extends Error {
  /** It may go well the next time. */
  readonly mayPass: boolean;
  /** It will never go well: this is no picture. */
  readonly isFinal: boolean;
  /** What the service says of when to come back, if it asks for time. */
  readonly retryAfter: string | null | undefined;

  constructor(why: string, details: Partial<Pick<ProbeFailure, 'mayPass' | 'isFinal' | 'retryAfter'>> = {}) {
    super(why);
    this.mayPass = details.mayPass ?? false;
    this.isFinal = details.isFinal ?? false;
    this.retryAfter = details.retryAfter;
  }
}

/** The header of most pictures is within the first of these; a large profile or preview comes before some. */
const STRETCHES = [64 * 1024, 1024 * 1024];

/**
 * Reads the size of a picture from its first bytes. No key is sent, and no redirect followed, which
 * could lead anywhere.
 */
export async function probe(url: string, options: ProbeOptions): Promise<KnownSize> {
  for (const length of STRETCHES) {
    const { size, isAll } = await withDeadline(options, (signal) => readStart(url, length, options, signal));
    if (size) return size;
    if (isAll) break;
  }
  throw new ProbeFailure('is no picture that can be read', { isFinal: true });
}

/** As much as it takes, and no more than `length`; all of it only where the service cannot send a part. */
async function readStart(
  url: string,
  length: number,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<{ size?: KnownSize | undefined; isAll: boolean }> {
  const headers = { accept: 'image/*,*/*;q=0.5', range: `bytes=0-${length - 1}` };
  const response = await options.fetch(url, { headers, redirect: 'manual', signal });
  if (response.status !== 200 && response.status !== 206) {
    await response.body?.cancel();
    const { status } = response;
    const retryAfter = status === 429 ? response.headers.get('retry-after') : undefined;
    throw new ProbeFailure(`answered ${status}`, {
      mayPass: status === 408 || status === 429 || status >= 500,
      retryAfter,
    });
  }
  const isPart = response.status === 206;
  const most = isPart ? length : Math.max(...STRETCHES);
  const reader = response.body?.getReader();
  let bytes = new Uint8Array();
  let next = 0;
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes = joined(bytes, part.value);
      // Each try looks at everything anew, so they become rarer.
      if (bytes.length < next) continue;
      const size = await readSize(bytes);
      if (size) return { size, isAll: true };
      if (bytes.length >= most) return { isAll: !isPart };
      next = bytes.length * 2;
    }
    return { size: await readSize(bytes), isAll: !isPart || bytes.length < length };
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(before.length + after.length);
  all.set(before);
  all.set(after, before.length);
  return all;
}

async function withDeadline<T>(
  { clock, timeout }: ProbeOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const done = new AbortController();
  clock.sleep(timeout, done.signal).then(
    () => deadline.abort(),
    () => {},
  );
  try {
    return await work(deadline.signal);
  } catch (error) {
    if (error instanceof ProbeFailure) throw error;
    const why = deadline.signal.aborted ? 'gave no answer in time' : 'could not be reached';
    throw new ProbeFailure(why, { mayPass: true });
  } finally {
    done.abort();
  }
}
