import type { Clock } from '../../client/http/clock.ts';

export interface RequestOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeout: number;
}

/** An asset could not be read. The message follows its URL: `responded with 404`. */
export class AssetError extends Error {
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
  /** The asset itself is the reason, so no other build needs to try. */
  readonly isFinal: boolean;
  /** The `retry-after` header of a 429, `null` if it has none; `undefined` for all other errors. */
  readonly retryAfter: string | null | undefined;

  constructor(
    message: string,
    details: Partial<Pick<AssetError, 'isRetryable' | 'isFinal' | 'retryAfter'>> = {},
  ) {
    super(message);
    this.isRetryable = details.isRetryable ?? false;
    this.isFinal = details.isFinal ?? false;
    this.retryAfter = details.retryAfter;
  }
}

/**
 * Requests an asset and reads its response with `read`. Sends no API key and follows no redirects. Throws an
 * `AssetError` for a status other than 200 and 206; `refusals` are statuses that the same URL always gets.
 */
export async function requestAsset<T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  { fetch, clock, timeout }: RequestOptions,
  read: (response: Response) => Promise<T>,
  refusals: readonly number[] = [],
): Promise<T> {
  const deadline = new AbortController();
  const done = new AbortController();
  clock.sleep(timeout, done.signal).then(
    () => deadline.abort(),
    () => {},
  );
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: deadline.signal });
    const { status } = response;
    if (status === 200 || status === 206) return await read(response);
    await response.body?.cancel();
    throw new AssetError(`responded with ${status}`, {
      isRetryable: status === 408 || status === 429 || status >= 500,
      isFinal: refusals.includes(status),
      retryAfter: status === 429 ? response.headers.get('retry-after') : undefined,
    });
  } catch (error) {
    if (error instanceof AssetError) throw error;
    const message = deadline.signal.aborted ? 'did not respond in time' : 'could not be reached';
    throw new AssetError(message, { isRetryable: true });
  } finally {
    done.abort();
  }
}
