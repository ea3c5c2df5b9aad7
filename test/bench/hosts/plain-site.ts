import type { Adapter } from '../../hosts/site/adapters.ts';

/** The site of test/hosts without this package: the same kinds of pages and collections, with loaders of a few lines. */
export function plainFiles({ files }: Adapter): Record<string, string> {
  const { 'src/storage.ts': _, ...own } = files;
  return {
    ...own,
    'astro.config.mjs': `
      import { defineConfig } from 'astro/config';
      import { adapter, provider } from './adapter.mjs';
      export default defineConfig({ adapter, cache: { provider } });`,
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      const loader = () => [{ id: '1', title: 'Title 1' }];
      export const collections = { built: defineCollection({ loader }) };`,
    'src/live.config.ts': `
      import { defineLiveCollection } from 'astro:content';
      const read = async (id) => ({ id, data: await (await fetch(process.env.LUID_BASE_URL + id)).json() });
      const loader = {
        name: 'plain',
        loadEntry: ({ filter }) => read(filter.id),
        loadCollection: async () => ({ entries: [await read('all')] }),
      };
      export const collections = { articles: defineLiveCollection({ loader }) };`,
    'src/pages/static.astro': `---
      import { getCollection } from 'astro:content';
      import { Image } from 'astro:assets';
      export const prerender = true;
      const [first] = await getCollection('built');
      ---
      <b>{first.data.title}</b>{first.data.cover && <Image src={first.data.cover} width={1} height={1} alt="" />}`,
    'src/pages/articles/[id].astro': `---
      import { getLiveEntry } from 'astro:content';
      export const prerender = false;
      const { entry, cacheHint } = await getLiveEntry('articles', Astro.params.id);
      if (!entry) return new Response(null, { status: 404 });
      Astro.cache.set({ ...cacheHint, maxAge: 86400 });
      ---
      <b>{entry.data.title}</b>`,
    'src/pages/list.astro': `---
      import { getLiveCollection } from 'astro:content';
      export const prerender = false;
      const { entries, cacheHint } = await getLiveCollection('articles');
      Astro.cache.set({ ...cacheHint, maxAge: 86400 });
      ---
      <b>{entries.map(({ data }) => data.title).join(', ')}</b>`,
  };
}
