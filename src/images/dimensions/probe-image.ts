import type { Clock } from '../../client/http/clock.ts';
import { parseImageHeader } from './image-header.ts';
import type { ImageInfo } from './known-dimensions.ts';

export interface ProbeOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeout: number;
}

/** The dimensions of an image could not be read. The message follows its URL: `responded with 404`. */
export class ProbeError extends Error {
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
  /** The response is not an image, so no other build needs to try. */
  readonly isNotAnImage: boolean;
  /** The `retry-after` header of a 429, `null` if it has none; `undefined` for all other errors. */
  readonly retryAfter: string | null | undefined;

  constructor(
    message: string,
    details: Partial<Pick<ProbeError, 'isRetryable' | 'isNotAnImage' | 'retryAfter'>> = {},
  ) {
    super(message);
    this.isRetryable = details.isRetryable ?? false;
    this.isNotAnImage = details.isNotAnImage ?? false;
    this.retryAfter = details.retryAfter;
  }
}

/** Most headers are within the first range; in some files a large profile or preview precedes the header. */
const RANGES = [64 * 1024, 1024 * 1024];

/** Reads the dimensions of an image from its first bytes. Sends no API key and follows no redirects. */
export async function probeImage(url: string, options: ProbeOptions): Promise<ImageInfo> {
  for (const length of RANGES) {
    const { image, isComplete } = await withTimeout(options, (signal) =>
      readStart(url, length, options, signal),
    );
    if (image) return image;
    if (isComplete) break;
  }
  throw new ProbeError('is not a readable image', { isNotAnImage: true });
}

/** Reads until the header is parsed, at most `length` bytes; more only if the service does not support ranges. */
async function readStart(
  url: string,
  length: number,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<{ image?: ImageInfo | undefined; isComplete: boolean }> {
  const headers = { accept: 'image/*,*/*;q=0.5', range: `bytes=0-${length - 1}` };
  const response = await options.fetch(url, { headers, redirect: 'manual', signal });
  const { status } = response;
  if (status !== 200 && status !== 206) {
    await response.body?.cancel();
    throw new ProbeError(`responded with ${status}`, {
      isRetryable: status === 408 || status === 429 || status >= 500,
      retryAfter: status === 429 ? response.headers.get('retry-after') : undefined,
    });
  }
  const isPartial = status === 206;
  const maxBytes = isPartial ? length : Math.max(...RANGES);
  const reader = response.body?.getReader();
  let bytes = Buffer.alloc(0);
  let nextParse = 0;
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes = Buffer.concat([bytes, part.value]);
      // Parsing starts over each time, so the intervals double.
      if (bytes.length < nextParse) continue;
      const image = await parseImageHeader(bytes);
      if (image) return { image, isComplete: true };
      if (bytes.length >= maxBytes) return { isComplete: !isPartial };
      nextParse = bytes.length * 2;
    }
    return { image: await parseImageHeader(bytes), isComplete: !isPartial || bytes.length < length };
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

async function withTimeout<T>(
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
    if (error instanceof ProbeError) throw error;
    const message = deadline.signal.aborted ? 'did not respond in time' : 'could not be reached';
    throw new ProbeError(message, { isRetryable: true });
  } finally {
    done.abort();
  }
}
