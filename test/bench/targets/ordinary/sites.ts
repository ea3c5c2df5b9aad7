import { HTML_FIELD, INCREMENTAL, pagesWithAuthors } from '../../end-to-end/sites.ts';

const request = `
  const request = async (model, offset, depth) => {
    const query = new URLSearchParams({ model, offset, depth });
    if (model === 'article') query.set('body[format]', 'html');
    const headers = { 'X-SERVICE-API-KEY': process.env.LUID_API_KEY };
    const response = await fetch(process.env.LUID_BASE_URL + '/contents?' + query, { headers });
    if (!response.ok) throw new Error('Unexpected status ' + response.status);
    return response.json();
  };`;

/** Prints what `load()` used, on a line that \`loadIn\` reads. */
const measured = `
  const measured = (loader) => ({
    ...loader,
    async load(context) {
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      await loader.load(context);
      const { user, system } = process.cpuUsage(cpu);
      console.log('LOADED ' + JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000 }));
    },
  });`;

/** What `load()` used in a site with `measured`. */
export function loadIn(output: string): { ms: number; cpu: number } {
  const [, usage] = /LOADED (\{.*\})/.exec(output) ?? [];
  if (!usage) throw new Error(`Nothing was loaded:\n${output}`);
  return JSON.parse(usage);
}

const config = (body: string) => `
  import { defineCollection } from 'astro:content';
  ${body}`;

/** Sites that are only synced: articles with their author. */
export const plainFetchToSync = {
  'src/content.config.ts': config(`
    ${request}
    ${measured}
    const articles = {
      name: 'plain-fetch',
      async load({ store }) {
        const first = await request('article', 0, 1);
        const offsets = Array.from({ length: Math.ceil(first.total / 100) - 1 }, (_, n) => 100 * (n + 1));
        const pages = await Promise.all(offsets.map((offset) => request('article', offset, 1)));
        store.clear();
        for (const data of [first, ...pages].flatMap((page) => page.data)) store.set({ id: String(data._id), data });
      },
    };
    export const collections = { articles: defineCollection({ loader: measured(articles) }) };`),
};

export const oursToSync = {
  'src/content.config.ts': config(`
    import { defineSpace, field } from 'astro-luid';
    ${measured}
    const space = defineSpace({
      network: { requestsPerMinute: Infinity },
      models: {
        author: { name: field.text({ required: true }), portrait: field.media() },
        article: {
          title: field.text({ required: true }),
          body: field.flexibleText({ format: 'html' }),
          cover: field.media(),
          author: field.reference('author'),
          blocks: field.combination({ quote: { text: field.multiline() }, picture: { image: field.media(), caption: field.text() } }),
        },
      },
    });
    export const collections = { articles: defineCollection({ loader: measured(space.loader('article')) }) };`),
};

/** A loader as in Astro's documentation for both collections, with digests for the incremental build. */
export const handWrittenToBuild = {
  'astro.config.mjs': INCREMENTAL,
  'src/content.config.ts': config(`
    ${request}
    const loader = (model) => ({
      name: model,
      async load({ store, generateDigest }) {
        const items = [];
        for (let total = 1; items.length < total; ) {
          const page = await request(model, items.length, 0);
          items.push(...page.data);
          total = page.total;
        }
        store.clear();
        for (const data of items) store.set({ id: String(data._id), data, digest: generateDigest(data) });
      },
    });
    export const collections = {
      authors: defineCollection({ loader: loader('author') }),
      articles: defineCollection({ loader: loader('article') }),
    };`),
  ...pagesWithAuthors(HTML_FIELD),
};
