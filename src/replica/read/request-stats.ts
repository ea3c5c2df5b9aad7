import type { ClientRequest } from '../../client/http/client-request.ts';

/** The requests of a sync. */
export interface RequestCounts {
  readonly requests: number;
  /** Served by the CDN, and so not counted against the rate limit. */
  readonly cached: number;
  /** Requests that were sent again. */
  readonly retries: number;
  /** Milliseconds in which at least one request waited, because of the rate limit, a 429 or a failure. */
  readonly waited: number;
}

/** Counts the requests that get it as options. */
export interface RequestStats extends Required<Pick<ClientRequest, 'onResponse' | 'onRetry' | 'onWait'>> {
  counts(): RequestCounts;
}

export function createRequestStats(now: () => number): RequestStats {
  const counts = { requests: 0, cached: 0, retries: 0, waited: 0 };
  let waiting = 0;
  let since = 0;
  const end = () => {
    waiting -= 1;
    if (waiting === 0) counts.waited += now() - since;
  };
  return {
    counts: () => ({ ...counts }),
    onResponse({ cached }) {
      counts.requests += 1;
      if (cached) counts.cached += 1;
    },
    onRetry() {
      counts.retries += 1;
    },
    // Requests wait in parallel: what counts is how long any of them did.
    onWait(over) {
      if (waiting === 0) since = now();
      waiting += 1;
      over.then(end, end);
    },
  };
}
