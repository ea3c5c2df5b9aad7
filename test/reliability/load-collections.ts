import { hash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
// Astro's own store, so that the result is what a build would see. Astro does not export it.
import { MutableDataStore } from '../../node_modules/astro/dist/content/mutable-data-store.js';
import { defineSpace, field } from '../../src/index.ts';
import type { SpaceOptions } from '../../src/space/space-options.ts';

export { MutableDataStore };

export const MODELS = {
  author: { name: field.text({ required: true, title: true }), mentor: field.reference('author') },
  article: {
    title: field.text({ required: true, title: true }),
    author: field.reference('author'),
    related: field.repeat({ article: field.reference('article') }),
  },
} as const;

/** The space of a site. */
export function createSpace(options: Omit<SpaceOptions<typeof MODELS>, 'models'>) {
  return defineSpace({ ...options, models: MODELS });
}

/** The `depth` of each collection. */
export const COLLECTIONS = { article: 2, author: 1 } as const;
export type Collection = keyof typeof COLLECTIONS;

export interface Line {
  readonly level: 'info' | 'warn' | 'error' | 'debug';
  readonly text: string;
}

/** Loads all collections at once, as Astro does, into Astro's own store. */
export async function loadAll(
  space: ReturnType<typeof createSpace>,
  store: MutableDataStore,
  cacheDir: string,
  log: (line: Line) => void,
): Promise<void> {
  const loggerOf = (level: Line['level']) => (text: string) => log({ level, text });
  const logger = Object.fromEntries(
    (['info', 'warn', 'error', 'debug'] as const).map((level) => [level, loggerOf(level)]),
  );
  const results = await Promise.allSettled(
    (Object.keys(COLLECTIONS) as Collection[]).map((collection) =>
      space.loader(collection, { depth: COLLECTIONS[collection] }).load({
        collection,
        store: store.scopedStore(collection),
        meta: store.metaStore(collection),
        logger,
        config: { cacheDir: pathToFileURL(`${cacheDir}/`) },
        parseData: async ({ data }: { data: unknown }) => data,
        renderMarkdown: async (html: string) => ({ html }),
        generateDigest: digestOf,
      } as unknown as LoaderContext),
    ),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function digestOf(data: Record<string, unknown> | string): string {
  return hash('sha1', typeof data === 'string' ? data : JSON.stringify(data));
}
