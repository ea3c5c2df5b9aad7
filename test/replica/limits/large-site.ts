import { isDeepStrictEqual } from 'node:util';
import { createStorage } from 'unstorage';
import { field } from '../../../src/index.ts';
import { type Collection, type Content, notes, openSite, published, serve, shown } from '../loader-site.ts';

// Spaces in which more changes than a manifest keeps.

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
  note: { title: field.text({ title: true }) },
};

/** All articles in the main language; in English, with authors that exist in the main language only. */
export const JAPANESE = { model: 'article' };
export const ENGLISH = { model: 'article', lang: 'en', fallback: true };
/** Content that refers to nothing: a build of it syncs the main language, and no other collection. */
export const NOTES = { model: 'note' };

export const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

/** The id of the first article. */
export const FIRST_ARTICLE = 10_001;

/** Articles in both languages; these values are those of the English one with this number. */
export function articles(count: number, english: (n: number) => object = () => ({})): Content[] {
  return numbers(0, count).map((n) =>
    published(
      'article',
      FIRST_ARTICLE + n,
      { title: `記事 ${n}` },
      { en: { title: `article ${n}`, ...english(n) } },
    ),
  );
}

/** A site with a cache, whose builds each load some collections, in a new process. */
export function openLargeSite(contents: readonly Content[]) {
  // The newest 100 items are notes: what happens to others shows in no heads.
  const service = serve([...contents, ...notes(101, 90_001)], { models: MODELS });
  const site = openSite(service);
  const cache = { storage: createStorage() };
  const options = { models: MODELS, network: { concurrency: 4 } };
  const load = async (
    from: ReturnType<typeof openSite>,
    collections: Record<string, Collection>,
    more: object,
  ) => {
    const built = await from.build(collections, { ...options, ...more });
    return Object.fromEntries(Object.entries(built).map(([name, entries]) => [name, shown(entries)]));
  };

  return {
    service,
    /** Builds collections; `change` happens a minute before. */
    async build(collections: Record<string, Collection>, change: () => void = () => {}) {
      service.clock.advance(60_000);
      change();
      service.clock.advance(60_000);
      service.clearLog();
      return load(site, collections, { cache });
    },
    /** Whether the last build has read a model of a language in full. */
    hasReadInFull: (lang: string) =>
      service.log.some(({ query }) => {
        const parameters = new URLSearchParams(query);
        return parameters.get('order') === '_created_at,_id' && parameters.get('lang') === lang;
      }),
    /** The entries that are not as a build without a cache shows them. */
    async wrongIn(built: Awaited<ReturnType<typeof load>>, collections: Record<string, Collection>) {
      const right = await load(openSite(service), collections, { cache: false });
      return Object.entries(right).flatMap(([name, entries]) => {
        const ids = new Set([...Object.keys(entries), ...Object.keys(built[name] ?? {})]);
        return [...ids]
          .filter((id) => !isDeepStrictEqual(entries[id], built[name]?.[id]))
          .map((id) => `${name}/${id}`);
      });
    },
  };
}
