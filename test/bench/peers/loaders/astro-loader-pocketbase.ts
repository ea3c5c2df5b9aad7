import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loader } from 'astro/loaders';
import { type Article, applyChange } from '../dataset.ts';
import { iso, pageOf, startService } from '../mock-service.ts';
import type { Peer } from '../peer.ts';

/** The collection's schema as exported by PocketBase, so that the loader does not request it. */
const SCHEMA = fileURLToPath(new URL('pb_schema.json', import.meta.url));

const MAX_PER_PAGE = 1000;
const id = (n: number) => `article${String(n).padStart(8, '0')}`;
const time = (at: number) => iso(at).replace('T', ' ');

const record = ({ n, title, body, author, image, created, updated }: Article) => ({
  collectionId: 'pbc_articles000',
  collectionName: 'articles',
  id: id(n),
  title,
  body,
  cover: `picture-${image}.jpg`,
  author: `author${String(author).padStart(9, '0')}`,
  created: time(created),
  updated: time(updated),
});

export const peer: Peer = {
  serve: (dataset) =>
    startService(
      ({ searchParams }) => {
        const perPage = Math.min(Number(searchParams.get('perPage')), MAX_PER_PAGE);
        const page = Number(searchParams.get('page'));
        const [, since] = /^\(updated>"(.*)"\)$/.exec(searchParams.get('filter') ?? '') ?? [];
        const found = since
          ? dataset.articles.filter(({ updated }) => time(updated) > since)
          : dataset.articles;
        const { items, pages } = pageOf(found, page, perPage);
        const onlyIds = searchParams.get('fields') === 'id';
        return {
          body: {
            page,
            perPage,
            totalItems: found.length,
            totalPages: pages,
            items: items.map((article) => (onlyIds ? { id: id(article.n) } : record(article))),
          },
        };
      },
      (change) => applyChange(dataset, change),
    ),
  async open(url) {
    const name = 'astro-loader-pocketbase';
    const { pocketbaseLoader } = (await import(name)) as { pocketbaseLoader: (options: object) => Loader };
    return {
      loader: pocketbaseLoader({
        url,
        collectionName: 'articles',
        updatedField: 'updated',
        localSchema: relative(process.cwd(), SCHEMA),
      }),
    };
  },
  id,
  embeds: false,
  read: ({ title, body }: { title: string; body: string }) => ({ title, body }),
};
