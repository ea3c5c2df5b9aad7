import type { Loader } from 'astro/loaders';
import type { Peer } from '../peer.ts';
import { peer as handWritten } from './hand-written.ts';

interface Page {
  readonly total: number;
  readonly data: readonly { readonly _id: number }[];
}

/** The minimum for a loader of the service: requests all pages at once, checks nothing and stores the items as they are. */
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
      const first = await readPage(0);
      const offsets = Array.from({ length: Math.ceil(first.total / 100) - 1 }, (_, n) => 100 * (n + 1));
      const pages = await Promise.all(offsets.map(readPage));
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
