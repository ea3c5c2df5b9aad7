import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import { type Article, type Author, applyChange } from '../corpus.ts';
import type { Peer } from '../peer.ts';
import { iso, pageOf, startService } from '../service.ts';

/** The most that Strapi gives unless it is set up otherwise. */
const MOST_PER_PAGE = 100;
const id = (n: number) => `article${String(n).padStart(17, '0')}`;

const document = ({ n, title, body, picture, created, updated }: Article, author: Author) => ({
  id: n + 1,
  documentId: id(n),
  title,
  body,
  createdAt: iso(created),
  updatedAt: iso(updated),
  publishedAt: iso(updated),
  cover: {
    id: picture + 1,
    documentId: `picture${picture}`,
    url: `/uploads/picture-${picture}.jpg`,
    alternativeText: `Picture ${picture}`,
  },
  author: { id: author.n + 1, documentId: `author${author.n}`, name: author.name },
});

export const peer: Peer = {
  serve: ({ articles, authors }) =>
    startService(
      ({ searchParams }) => {
        const page = Number(searchParams.get('pagination[page]'));
        const pageSize = Math.min(Number(searchParams.get('pagination[pageSize]')), MOST_PER_PAGE);
        const { items, pages } = pageOf(articles, page, pageSize);
        return {
          body: {
            data: items.map((article) => document(article, authors[article.author] as Author)),
            meta: { pagination: { page, pageSize, pageCount: pages, total: articles.length } },
          },
        };
      },
      (change) => applyChange({ articles, authors }, change),
    ),
  async open(url) {
    const name = 'strapi-community-astro-loader';
    const { strapiLoader } = (await import(name)) as { strapiLoader: (options: object) => Loader };
    return {
      loader: strapiLoader({
        contentType: 'article',
        clientConfig: { baseURL: `${url}/api` },
        pageSize: MOST_PER_PAGE,
        params: {
          populate: { cover: { fields: ['url', 'alternativeText'] }, author: { fields: ['name'] } },
        },
      }),
      schema: z.object({
        title: z.string(),
        body: z.string(),
        cover: z.object({ url: z.string(), alternativeText: z.string().nullable() }).optional(),
        author: z.object({ name: z.string() }).optional(),
      }),
    };
  },
  id,
  embeds: true,
  read({ title, body, author }: { title: string; body: string; author?: { name: string } }) {
    return { title, body, author: author?.name };
  },
};
