import { registerHooks } from 'node:module';
import type { Loader } from 'astro/loaders';
import { type Article, type Author, applyChange } from '../dataset.ts';
import { iso, pageOf, startService } from '../mock-service.ts';
import type { Peer } from '../peer.ts';

const MAX_PER_PAGE = 100;
const id = (n: number) => `articles/article-${n}`;
const uuid = (kind: 'a' | 'b', n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const story = ({ n, title, body, author, image, created, updated }: Article) => ({
  name: title,
  created_at: iso(created),
  published_at: iso(updated),
  first_published_at: iso(created),
  id: n + 1,
  uuid: uuid('a', n),
  slug: `article-${n}`,
  full_slug: id(n),
  content: {
    _uid: uuid('a', n),
    component: 'article',
    title,
    body,
    cover: {
      id: image + 1,
      alt: `Picture ${image}`,
      filename: `/f/picture-${image}.jpg`,
      fieldtype: 'asset',
    },
    author: uuid('b', author),
  },
});

const person = ({ n, name, created, updated }: Author) => ({
  name,
  created_at: iso(created),
  published_at: iso(updated),
  id: -1 - n,
  uuid: uuid('b', n),
  slug: `author-${n}`,
  full_slug: `authors/author-${n}`,
  content: { _uid: uuid('b', n), component: 'author', name },
});

export const peer: Peer = {
  serve(dataset) {
    /** Increases with every change in the space. */
    let version = Math.floor(Date.now() / 1000);
    return startService(
      ({ pathname, searchParams }) => {
        if (pathname.endsWith('/cdn/spaces/me')) {
          return { body: { space: { id: 1, name: 'bench', domain: '', version, language_codes: [] } } };
        }
        const since = Date.parse(searchParams.get('published_at_gt') ?? '1970');
        const found = dataset.articles.filter(({ updated }) => updated > since);
        const perPage = Math.min(Number(searchParams.get('per_page')), MAX_PER_PAGE);
        const { items } = pageOf(found, Number(searchParams.get('page')), perPage);
        const authors = new Set(items.map(({ author }) => author));
        return {
          body: {
            stories: items.map(story),
            cv: version,
            rels: [...authors].map((n) => person(dataset.authors[n] as Author)),
            links: [],
          },
          headers: { total: String(found.length), 'per-page': String(perPage) },
        };
      },
      (change) => {
        applyChange(dataset, change);
        version = Math.max(version + 1, Math.floor(Date.now() / 1000));
      },
    );
  },
  async open(url, accessToken) {
    resolveWithoutExtension();
    const name = 'astro-loader-storyblok';
    const { StoryblokLoader } = (await import(name)) as {
      StoryblokLoader: new (options: object) => { getStoriesLoader(options: object): Loader };
    };
    // 1000 is the maximum of the SDK, and more than the number of pages.
    const storyblok = new StoryblokLoader({
      accessToken,
      apiOptions: { endpoint: `${url}/v2`, rateLimit: 1000 },
    });
    return {
      loader: storyblok.getStoriesLoader({
        contentTypes: ['article'],
        storyblokParams: {
          version: 'published',
          per_page: MAX_PER_PAGE,
          resolve_relations: 'article.author',
        },
      }),
    };
  },
  id,
  embeds: true,
  read({
    content: { title, body, author },
  }: {
    content: { title: string; body: string; author?: { name: string } };
  }) {
    return { title, body, author: author?.name };
  },
};

/** The package imports its files without extension (`./utils`), which Vite resolves and Node does not. */
function resolveWithoutExtension(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const isExtensionless = specifier.startsWith('./') && !/\.[cm]?js$/.test(specifier);
      const isInPackage = context.parentURL?.includes('/astro-loader-storyblok/') ?? false;
      return next(isExtensionless && isInPackage ? `${specifier}.js` : specifier, context);
    },
  });
}
