import type { Adapter } from '../../hosts/site/adapters.ts';
import { siteFiles } from '../../hosts/site/site-files.ts';

const CONFIG = `
  import { defineConfig } from 'astro/config';
  import { adapter, provider } from './adapter.mjs';
  export default defineConfig({ adapter, cache: { provider } });`;

const SERVICE = `
  export async function read(path) {
    const headers = { 'X-SERVICE-API-KEY': process.env.LUID_API_KEY };
    const response = await fetch(process.env.LUID_BASE_URL + path, { headers });
    if (!response.ok) throw new Error('HTTP ' + response.status);
    return response.json();
  }
  export const entryOf = (data) => ({ id: String(data._id), data });
  export const readArticles = async () => {
    const pages = await Promise.all([0, 100].map((offset) => read('/contents?model=article&limit=100&offset=' + offset)));
    return pages.flatMap(({ data }) => data).map(entryOf);
  };`;

/** The same site without this package: its own loaders request what they show from the service. */
export function plainFiles(adapter: Adapter): Record<string, string> {
  const files = siteFiles(adapter);
  return {
    ...files,
    'astro.config.mjs': CONFIG,
    'src/service.js': SERVICE,
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      import { readArticles } from './service.js';
      const load = async ({ store }) => (await readArticles()).forEach((entry) => store.set(entry));
      export const collections = { built: defineCollection({ loader: { name: 'plain', load } }) };`,
    'src/live.config.ts': `
      import { defineLiveCollection } from 'astro:content';
      import { entryOf, read, readArticles } from './service.js';
      const loader = {
        name: 'plain',
        loadEntry: async ({ filter: { id } }) => entryOf(await read('/contents/' + id)),
        loadCollection: async () => ({ entries: await readArticles() }),
      };
      export const collections = {
        articles: defineLiveCollection({ loader }),
        fresh: defineLiveCollection({ loader }),
      };`,
    'src/pages/static.astro': `---
      import { getCollection } from 'astro:content';
      export const prerender = true;
      const [first] = (await getCollection('built')).sort((a, b) => a.data._id - b.data._id);
      ---
      <b>{first.data.title}</b><img src={first.data.cover.url} width={120} height={80} />`,
    'src/pages/drafts/[id].astro': files['src/pages/fresh/[id].astro'] as string,
  };
}
