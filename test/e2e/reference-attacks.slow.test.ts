import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import { run } from '../support/run-command.ts';
import { createSite, type Site } from './site.ts';

// Content that anyone who may write some can make: items that refer to each other. Each level of `depth` multiplies
// what an entry embeds by their number, so anything that walks it as a tree does not end.

const MODELS = {
  page: { title: field.text({ title: true }), to: field.repeat({ page: field.reference('page') }) },
};
let site: Site;
let service: RunningEmulator;

beforeAll(() => {
  const files = {
    'src/space.ts': `import { defineSpace, field } from 'astro-luid';
      export const space = defineSpace({
        onInvalid: (process.env.ON_INVALID as 'skip') ?? 'fail',
        models: { page: {
          title: field.text({ required: true }), to: field.repeat({ page: field.reference('page') }),
        } },
      });`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content';
      import { space } from './space';
      export const collections = {
        pages: defineCollection({ loader: space.loader('page', { depth: Number(process.env.DEPTH) as 4 }) }),
      };`,
    'src/pages/[id].astro': `---
      import { getCollection } from 'astro:content';
      export const getStaticPaths = async () =>
        (await getCollection('pages')).map((page) => ({ params: { id: page.id }, props: { page } }));
      ---
      <h1>{Astro.props.page.data.title}</h1>`,
    'view.mjs': `import { defineSpace, field } from 'astro-luid';
      const space = defineSpace({
        onInvalid: process.env.ON_INVALID,
        cache: { dir: 'live-cache' },
        models: { page: { title: field.text({ required: true }), to: field.repeat({ page: field.reference('page') }) } },
      });
      const live = space.liveLoader('page', { depth: 4, maxEmbedded: 100_000_000 });
      for (let view = 0; view < 3; view++) {
        const result = await live.loadEntry({ filter: { id: '2' }, collection: 'pages' });
        console.log('error' in result ? result.error.message : 'rows ' + result.data.to.filter(({ page }) => page).length);
      }
      process.exit();`,
  };
  site = createSite(files, {});
});
afterAll(async () => {
  await service?.close();
  site.remove();
});

/** So many items that all refer to each other. */
async function serve(count: number, titleOf = (id: number) => `Page ${id}`): Promise<void> {
  await service?.close();
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  service = await startEmulator({
    keys: [{ key: 'published', reads: 'published' }],
    languages: { main: 'ja' },
    models: MODELS,
    contents: ids.map((id) => ({
      id,
      model: 'page',
      created_at: '2026-01-01T00:00:00Z',
      published: {
        ja: { title: titleOf(id), to: ids.filter((other) => other !== id).map((page) => ({ page })) },
      },
    })),
  } as never);
}

const environment = (more: NodeJS.ProcessEnv) => ({
  LUID_BASE_URL: service.baseUrl,
  LUID_API_KEY: 'published',
  ...more,
});
const build = (more: NodeJS.ProcessEnv) => site.astro(['build'], environment(more));
const view = (onInvalid: string) =>
  run(process.execPath, ['view.mjs'], {
    cwd: site.folder,
    env: { ...process.env, ...environment({ ON_INVALID: onInvalid }) },
  });

test.each([
  [20, '4', '137,560'],
  [60, '2', '3,540'],
])(
  '%i entries that refer to each other at depth %s end the build with an error',
  async (count, DEPTH, embedded) => {
    await serve(count);
    await expect(build({ DEPTH })).rejects.toThrow(`embeds ${embedded} items at depth ${DEPTH}`);
  },
);

test("such entries are skipped with onInvalid: 'skip'", async () => {
  await serve(20);
  expect(await build({ DEPTH: '4', ON_INVALID: 'skip' })).toContain('pages: 20 entries are skipped');
});

test('a page view ends, whether or not one of 60 items that refer to each other is invalid', async () => {
  await serve(60, (id) => (id === 7 ? '' : `Page ${id}`));
  expect(await view('fail')).toContain('page 7');
  expect((await view('skip')).match(/^rows 58$/gm)).toHaveLength(3);
});
