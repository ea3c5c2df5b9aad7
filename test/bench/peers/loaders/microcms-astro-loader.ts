import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import { type Article, type Author, applyChange } from '../dataset.ts';
import { iso, startService } from '../mock-service.ts';
import type { Peer } from '../peer.ts';

const id = (n: number) => `article-${n}`;

const content = ({ n, title, body, image, created, updated }: Article, author: Author) => ({
  id: id(n),
  createdAt: iso(created),
  updatedAt: iso(updated),
  publishedAt: iso(created),
  revisedAt: iso(updated),
  title,
  body,
  cover: { url: `https://images.example/picture-${image}.jpg`, height: 600, width: 800 },
  author: { id: `author-${author.n}`, createdAt: iso(author.created), name: author.name },
});

export const peer: Peer = {
  serve: ({ articles, authors }) =>
    startService(
      ({ searchParams }) => {
        const limit = Number(searchParams.get('limit'));
        const offset = Number(searchParams.get('offset') ?? 0);
        return {
          body: {
            contents: articles
              .slice(offset, offset + limit)
              .map((article) => content(article, authors[article.author] as Author)),
            totalCount: articles.length,
            offset,
            limit,
          },
        };
      },
      (change) => applyChange({ articles, authors }, change),
    ),
  async open(url, apiKey) {
    redirectRequests('https://bench.microcms.io', url);
    const name = 'microcms-astro-loader';
    const { microCMSContentLoader } = (await import(name)) as {
      microCMSContentLoader: (options: object) => Loader;
    };
    return {
      loader: microCMSContentLoader({ apiKey, serviceDomain: 'bench', endpoint: 'articles' }),
      schema: z.object({
        id: z.string(),
        title: z.string(),
        body: z.string(),
        cover: z.object({ url: z.string(), height: z.number(), width: z.number() }).optional(),
        author: z.object({ name: z.string() }),
      }),
    };
  },
  id,
  embeds: true,
  read({ title, body, author }: { title: string; body: string; author?: { name: string } }) {
    return { title, body, author: author?.name };
  },
};

/** The SDK accepts the name of a service, but no URL. */
function redirectRequests(from: string, to: string): void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => originalFetch(String(input).replace(from, to), init);
}
