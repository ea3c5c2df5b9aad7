import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { seed } from '../client/sample-service.ts';
import { createSite, type Site } from './site.ts';

/** Everything wrong that a site can have without failing: each must be said, and said once. */
const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space)] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      languages: { main: 'en', sub: ['ja'] },
      models: {
        event: { name: field.text() },
        article: { title: field.text(), titel: field.text(), author: field.reference('event') },
      },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { langs: ['en', 'ja'] }) }),
      again: defineCollection({ loader: space.loader('article') }),
    };`,
};
const PAGE = `---
import { getCollection } from 'astro:content';
export async function getStaticPaths() {
  return (await getCollection('articles')).map(({ id, data }) => ({ params: { id }, props: { data } }));
}
---
<h1>{Astro.props.data.title}</h1>`;

let service: RunningEmulator;
let site: Site;
beforeAll(async () => {
  service = await startEmulator(seed);
  site = createSite(FILES, {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'drafts',
    LUID_DRAFT_API_KEY: 'drafts',
  });
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

const SAID = [
  /article declares titel, which no item has/g,
  /article\.author: \d+ references? points? to content of an undeclared model/g,
  /event has no content that this key can see/g,
  /languages\.main is "en", but the main language of the space is "ja"/g,
  /contains \d drafts?, but its loader does not set|are the same key, which reads drafts/g,
];

test('a warning names a route that cannot take the ids before Astro fails because of it', async () => {
  site.write({ 'src/pages/[id].astro': PAGE });
  const log = await site.astro(['build']).catch((error: Error) => error.message);
  expect(log).toContain('Missing parameter');
  expect(log).toMatch(
    /articles: 6 entries have ids with "\/", which no route of the site accepts.*Name the route `\[\.\.\.id\]\.astro`/,
  );
  expect(log).not.toMatch(/again: \d+ entries have ids/);
});

test('each warning is logged once for all collections, also in a rebuild that changes nothing', async () => {
  site.remove();
  site = createSite(
    { ...FILES, 'src/pages/[...id].astro': PAGE },
    {
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'drafts',
      LUID_DRAFT_API_KEY: 'drafts',
    },
  );
  for (const build of ['first', 'second']) {
    const log = await site.astro(['build']);
    const counts = SAID.map((said) => [said.source, log.match(said)?.length ?? 0]);
    expect(counts, `${build} build:\n${log}`).toEqual(SAID.map((said) => [said.source, 1]));
    expect(log).not.toContain('which no route of the site accepts');
  }
});
