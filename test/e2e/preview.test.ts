import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { dotEnv } from './dev-site.ts';
import { type AstroServer, startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { poll: '1s', refreshSecret: 'open sesame, little door' })] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: {
        author: { name: field.text() },
        article: { title: field.text(), slug: field.text(), author: field.reference('author') },
      },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
  'src/pages/articles/[slug].astro': `---
    import { getCollection } from 'astro:content';
    export async function getStaticPaths() {
      return (await getCollection('articles')).map(({ id, data }) => ({ params: { slug: id }, props: data }));
    }
    ---
    <html><head><meta charset="utf-8" /></head><body><h1>{Astro.props.title} / {Astro.props.author.name}</h1></body></html>`,
};

describe('astro preview', () => {
  let service: RunningEmulator;
  let site: Site;
  beforeAll(async () => {
    const { seed, directory } = smallSeed();
    service = await startEmulator(seed, { directory });
    site = createSite({ '.env': dotEnv(service), ...FILES }, {});
    await site.astro(['build']);
    service.contents.edit(301, { title: 'Edited after the build' });
    service.clearLog();
  });
  afterAll(async () => {
    await service?.close();
    site?.remove();
  });

  async function previewed(look: (server: AstroServer) => Promise<void>): Promise<void> {
    const server = await startAstro(['preview'], site.folder);
    try {
      await look(server);
    } finally {
      await server.close();
    }
  }

  test('serves the built site without scripts and without requests to the service', () =>
    previewed(async ({ page, url }) => {
      const html = await page('/articles/harbour-at-dusk/');
      expect(html).toContain('<h1>夕暮れの港を歩く / 森 ゆり</h1>');
      expect(html).not.toContain('<script');
      expect((await fetch(new URL('/articles/nothing/', url))).status).toBe(404);
      expect(service.log).toEqual([]);
    }));

  test('has no refresh endpoint', () =>
    previewed(async ({ url }) => {
      const headers = { 'x-luid-secret': 'open sesame, little door' };
      const answer = await fetch(new URL('/_luid/refresh', url), { method: 'POST', headers });
      expect(answer.status).toBe(404);
    }));

  test('shows the same while the service is down', async () => {
    await service.close();
    await previewed(async ({ page, log }) => {
      expect(await page('/articles/harbour-at-dusk/')).toContain('<h1>夕暮れの港を歩く / 森 ゆり</h1>');
      expect(log()).not.toMatch(/\[(?:ERROR|WARN)\]/);
    });
  });
});
