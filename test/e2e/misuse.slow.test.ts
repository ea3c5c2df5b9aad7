import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { createSite, type Site } from './site.ts';

let service: RunningEmulator;
let site: Site;

beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  site = createSite(
    {
      'src/space.ts': `
        import { defineSpace, field } from 'astro-luid';
        export const space = defineSpace({ languages: { main: 'ja', sub: ['en'] }, models: {
          author: { name: field.text({ required: true }) },
          article: {
            title: field.text(), slug: field.text(), category: field.select(['travel', 'food', 'craft']),
            cover: field.media(), author: field.reference('author'),
          },
        } });
        export const misspelt = () => defineSpace({ models: space.models, apikey: 'k' }); // planted
        export const wrong = () => defineSpace({ models: { article: { author: field.reference('authr') } } }); // planted`,
      'src/content.config.ts': `
        import { defineCollection } from 'astro:content';
        import { space } from './space.ts';
        export const collections = {
          articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }),
          english: defineCollection({ loader: space.loader('article', { id: 'slug', lang: 'en', fallback: true }) }),
        };
        export const a = () => space.loader('article', { depth: 11 }); // planted
        export const b = () => space.loader('article', { where: { category: { contains: 'a' } } }); // planted
        export const c = () => space.loader('article', { body: 'title' }); // planted
        export const d = () => space.loader('article', { lang: 'fr' }); // planted
        export const e = () => space.loader('article', { lang: 'ja', langs: ['en'] }); // planted
        export const f = () => space.loader('article', { references: { title: 'articles' } }); // planted
        export const g = () => space.loader('article', { id: 'cover' }); // planted
        export const h = () => space.loader('article', { neighbors: { order: 'title' } }); // planted
        export const i = () => space.loader('article', { where: { category: 'travel' } }); // planted
        export const j = () => space.liveLoader('article', { lang: 'fr' }); // planted`,
      'src/pages/index.astro': `---
import { getCollection } from 'astro:content';
const articles = await getCollection('articles');
const english = await getCollection('english');
---
{english.map(({ data }) => <li lang={data._fallback ? data._langs.current : data._lang}>{data.title}</li>)}
{articles.map(({ data }) => <li>{data._fallback}</li>)}{/* planted */}
{articles.map(({ data }) => <li>{data.title} {data.author?.name} {data._published_at?.getFullYear()}</li>)}
{articles.map(({ data }) => <li>{data.titel}</li>)}{/* planted */}
{articles.map(({ data }) => <li>{data.author.name}</li>)}{/* planted */}
{articles.map(({ data }) => <li>{data.category === 'sport'}</li>)}{/* planted */}
`,
    },
    { LUID_BASE_URL: service.baseUrl, LUID_API_KEY: 'published-key' },
    ['@astrojs/check'],
  );
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

test('astro check finds each planted misuse, and nothing else', async () => {
  const report = await site.astro(['check']).then(
    () => 'found nothing',
    (error: Error) => error.message,
  );
  const found = [...stripVTControlCharacters(report).matchAll(/(src\/[\w./]+):(\d+):\d+ - error/g)].map(
    ([, file = '', line]) => `${file}:${line}`,
  );
  const planted = ['src/space.ts', 'src/content.config.ts', 'src/pages/index.astro'].flatMap((file) =>
    site
      .source(file)
      .split('\n')
      .flatMap((text, index) => (text.includes('planted') ? [`${file}:${index + 1}`] : [])),
  );
  expect([...new Set(found)].sort()).toEqual(planted.sort());
});

test('astro build prints the hint about a wrong option once if the config imports the space', async () => {
  const wrong = createSite(
    {
      'astro.config.mjs': `
        import luid from 'astro-luid/integration';
        import { space } from './src/space.ts';
        export default { integrations: [luid(space)] };`,
      'src/space.ts': `
        import { defineSpace, field } from 'astro-luid';
        export const space = defineSpace({ apikey: 'k', models: { article: { title: field.text() } } });`,
    },
    {},
  );
  const report = await wrong.astro(['build']).then(
    () => 'succeeded',
    (error: Error) => error.message,
  );
  wrong.remove();
  expect(report).toContain("defineSpace: unknown option 'apikey'\n  → Did you mean 'apiKey'?");
  expect(report.match(/Did you mean/g)).toHaveLength(1);
});
