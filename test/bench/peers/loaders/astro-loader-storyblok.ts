import { registerHooks } from 'node:module';
import type { Loader } from 'astro/loaders';
import { type Article, type Author, applyChange } from '../corpus.ts';
import type { Peer } from '../peer.ts';
import { iso, pageOf, startService } from '../service.ts';

const MOST_PER_PAGE = 100;
const id = (n: number) => `articles/article-${n}`;
const uuid = (kind: 'a' | 'b', n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const story = ({ n, title, body, author, picture, created, updated }: Article) => ({
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
      id: picture + 1,
      alt: `Picture ${picture}`,
      filename: `/f/picture-${picture}.jpg`,
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
  serve(corpus) {
    /** Tells of every change in the space, whatever was changed. */
    let version = Math.floor(Date.now() / 1000);
    return startService(
      ({ pathname, searchParams }) => {
        if (pathname.endsWith('/cdn/spaces/me')) {
          return { body: { space: { id: 1, name: 'bench', domain: '', version, language_codes: [] } } };
        }
        const since = Date.parse(searchParams.get('published_at_gt') ?? '1970');
        const found = corpus.articles.filter(({ updated }) => updated > since);
        const perPage = Math.min(Number(searchParams.get('per_page')), MOST_PER_PAGE);
        const { items } = pageOf(found, Number(searchParams.get('page')), perPage);
        const authors = new Set(items.map(({ author }) => author));
        return {
          body: {
            stories: items.map(story),
            cv: version,
            rels: [...authors].map((n) => person(corpus.authors[n] as Author)),
            links: [],
          },
          headers: { total: String(found.length), 'per-page': String(perPage) },
        };
      },
      (change) => {
        applyChange(corpus, change);
        version = Math.max(version + 1, Math.floor(Date.now() / 1000));
      },
    );
  },
  async open(url, accessToken) {
    findWithoutExtension();
    const name = 'astro-loader-storyblok';
    const { StoryblokLoader } = (await import(name)) as {
      StoryblokLoader: new (options: object) => { getStoriesLoader(options: object): Loader };
    };
    // 1000 is the most that the SDK takes, and more than there are pages.
    const storyblok = new StoryblokLoader({
      accessToken,
      apiOptions: { endpoint: `${url}/v2`, rateLimit: 1000 },
    });
    return {
      loader: storyblok.getStoriesLoader({
        contentTypes: ['article'],
        storyblokParams: {
          version: 'published',
          per_page: MOST_PER_PAGE,
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

/** The package imports its files as `./utils`, which Vite finds and Node alone does not. */
function findWithoutExtension(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const bare = specifier.startsWith('./') && !/\.[cm]?js$/.test(specifier);
      const ofTheirs = context.parentURL?.includes('/astro-loader-storyblok/') ?? false;
      return next(bare && ofTheirs ? `${specifier}.js` : specifier, context);
    },
  });
}
