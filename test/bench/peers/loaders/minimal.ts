import type { Loader } from 'astro/loaders';
import pLimit from 'p-limit';
import { CONCURRENT_READS } from '../../../../src/client/http/rate-limiter.ts';
import type { Peer } from '../peer.ts';
import { peer as handWritten } from './hand-written.ts';

interface Page {
  readonly total: number;
  readonly data: readonly { readonly _id: number }[];
}

/** The minimum for a loader of the service: requests pages in parallel like astro-luid and stores items unchanged. */
function articles(baseUrl: string, apiKey: string): Loader {
  const readPage = async (offset: number) => {
    const response = await fetch(`${baseUrl}/contents?model=article&offset=${offset}`, {
      headers: { 'X-SERVICE-API-KEY': apiKey },
    });
    if (!response.ok) throw new Error(`Unexpected status ${response.status}`);
    return (await response.json()) as Page;
  };
  return {
    name: 'articles',
    load: async ({ store }) => {
      const limit = pLimit(CONCURRENT_READS);
      const first = await readPage(0);
      const rest = Array.from({ length: Math.ceil(first.total / 100) - 1 }, (_, n) => 100 * (n + 1));
      const pages = await Promise.all(rest.map((offset) => limit(() => readPage(offset))));
      store.clear();
      for (const item of [first, ...pages].flatMap(({ data }) => data)) {
        store.set({ id: String(item._id), data: { ...item } });
      }
    },
  };
}

export const peer: Peer = {
  ...handWritten,
  open: async (baseUrl, apiKey) => ({ loader: articles(baseUrl, apiKey) }),
};
