import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import { type Article, type Author, applyChange } from '../dataset.ts';
import { iso, pageOf, startService } from '../mock-service.ts';
import type { Peer } from '../peer.ts';

/** Strapi's default maximum. */
const MAX_PER_PAGE = 100;
const id = (n: number) => `article${String(n).padStart(17, '0')}`;

const document = ({ n, title, body, image, created, updated }: Article, author: Author) => ({
  id: n + 1,
  documentId: id(n),
  title,
  body,
  createdAt: iso(created),
  updatedAt: iso(updated),
  publishedAt: iso(updated),
  cover: {
    id: image + 1,
    documentId: `picture${image}`,
    url: `/uploads/picture-${image}.jpg`,
    alternativeText: `Picture ${image}`,
  },
  author: { id: author.n + 1, documentId: `author${author.n}`, name: author.name },
});

export const peer: Peer = {
  serve: ({ articles, authors }) =>
    startService(
      ({ searchParams }) => {
        const page = Number(searchParams.get('pagination[page]'));
        const pageSize = Math.min(Number(searchParams.get('pagination[pageSize]')), MAX_PER_PAGE);
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
        pageSize: MAX_PER_PAGE,
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
