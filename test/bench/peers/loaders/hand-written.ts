import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import { articleId, startLuid } from '../luid-service.ts';
import type { Peer } from '../peer.ts';

interface Content {
  readonly _id: number;
}

/** A loader for the same service, as in Astro's documentation: read, clear, set. */
function articles(baseUrl: string, apiKey: string): Loader {
  return {
    name: 'articles',
    load: async ({ store, parseData, generateDigest }) => {
      const items: Content[] = [];
      for (let total = 1; items.length < total; ) {
        const response = await fetch(`${baseUrl}/contents?model=article&offset=${items.length}`, {
          headers: { 'X-SERVICE-API-KEY': apiKey },
        });
        if (!response.ok) throw new Error(`Unexpected status ${response.status}`);
        const page = (await response.json()) as { total: number; data: Content[] };
        items.push(...page.data);
        total = page.total;
      }
      store.clear();
      for (const item of items) {
        const id = String(item._id);
        const data = await parseData({ id, data: { ...item } });
        store.set({ id, data, digest: generateDigest(data) });
      }
    },
    schema: z.object({
      title: z.string(),
      body: z.string(),
      cover: z.object({ url: z.string(), alt: z.string() }),
      author: z.object({ name: z.string() }),
    }),
  };
}

export const peer: Peer = {
  serve: startLuid,
  open: async (baseUrl, apiKey) => ({ loader: articles(baseUrl, apiKey) }),
  id: (n) => String(articleId(n)),
  embeds: true,
  read({ title, body, author }: { title: string; body: string; author?: { name: string } }) {
    return { title, body, author: author?.name };
  },
};
