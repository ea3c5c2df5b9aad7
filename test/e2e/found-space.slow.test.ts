import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevSite, startDevSite } from './dev-site.ts';

const spaceFile = (more: string) => `
  import { defineSpace, field } from 'astro-luid';
  export const space = defineSpace({ models: { article: { title: field.text(), slug: field.text()${more} } } });`;

let site: DevSite;
beforeAll(async () => {
  site = await startDevSite({
    // As `astro add` writes it.
    'astro.config.mjs': `
      import { defineConfig } from 'astro/config';
      import luid from 'astro-luid';
      export default defineConfig({ integrations: [luid()] });`,
    'src/space.ts': spaceFile(''),
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      import { space } from './space.ts';
      export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
    'src/pages/index.astro': `---
      import { getEntry } from 'astro:content';
      const { data } = await getEntry('articles', 'night-train');
      ---
      <p>{data.title}</p>`,
  });
});
afterAll(() => site?.close());

test('astro dev with `luid()` shows the content of the space that it finds', async () => {
  expect(await site.page('/')).toContain('<p>夜行列車の窓</p>');
});

test('an edit of src/space.ts restarts it with the new space', async () => {
  site.write({ 'src/space.ts': spaceFile(', lead: field.multiline()') });
  await site.printed(/Restarting[\s\S]*server restarted/);
  // The server that took over serves, and so watches its files.
  expect(await site.page('/')).toContain('<p>夜行列車の窓</p>');
  site.write({ 'src/space.ts': 'export const nothing = 1;' });
  await site.printed(/src\/space\.ts exports no space/);
});
