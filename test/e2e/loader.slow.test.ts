import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { seed } from '../client/sample-service.ts';
import { createSite, type Site } from './site.ts';

const SPACE = (options = '') => `
  import { defineSpace, field } from 'astro-luid';
  export const space = defineSpace({
    languages: { main: 'ja', sub: ['en'] },
    ${options}
    models: {
      author: { name: field.text({ required: true, title: true }), portrait: field.media() },
      article: {
        title: field.text({ required: true, title: true }), body: field.flexibleText(),
        featured: field.boolean(), category: field.select(['news', 'event']), tags: field.multiSelect(['sea', 'hill']),
        starts_at: field.datetime(), cover: field.media(), author: field.reference('author'),
        related: field.repeat({ article: field.reference('article'), note: field.text() }),
        sections: field.combination({ quote: { text: field.multiline() } }),
        seo: field.fieldSet({ description: field.text() }),
      },
    },
  });`;

const FILES = {
  'src/space.ts': SPACE(),
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      ...space.collections(),
      articles: defineCollection({ loader: space.loader('article', { depth: 2, body: 'body', neighbours: { order: 'title' } }) }),
      authors: defineCollection({ loader: space.loader('author', { id: 'name' }) }),
      linked: defineCollection({ loader: space.loader('article', { references: { author: 'authors' } }) }),
      news: defineCollection({ loader: space.loader('article', { where: { category: { eq: 'news' }, 'author.name': { contains: 'mor' } } }) }),
      both: defineCollection({ loader: space.loader('article', { langs: ['ja', 'en'] }) }),
      filled: defineCollection({ loader: space.loader('article', { lang: 'en', fallback: true }) }),
      teasers: defineCollection({ loader: space.loader('article', { fields: ['title'], body: 'body' }) }),
      drafts: defineCollection({ loader: space.loader('article', { drafts: true }) }),
    };`,
  'src/pages/index.json.ts': `
    import { getCollection, getEntry, render } from 'astro:content';
    export async function GET() {
      const ids = async (name: Parameters<typeof getCollection>[0]) => (await getCollection(name)).map(({ id }) => id).sort();
      const harbour = await getEntry('articles', '11');
      const linked = await getEntry('linked', '11');
      const both = await getEntry('both', 'en/11');
      const filled = await getEntry('filled', '12');
      const teaser = await getEntry('teasers', '11');
      return Response.json({
        article: await ids('article'), articles: await ids('articles'), authors: await ids('authors'), news: await ids('news'),
        both: await ids('both'), filled: await ids('filled'), drafts: await ids('drafts'),
        author: harbour?.data.author?.name, deep: harbour?.data.related[0]?.article?.author?.name,
        headings: harbour && (await render(harbour)).headings, next: harbour?.data._next?.id,
        reference: linked?.data.author, resolved: linked?.data.author && (await getEntry(linked.data.author))?.data.name,
        english: [both?.data._lang, both?.data.title, both?.data._langs], fallback: [filled?.data.title, filled?.data._fallback],
        teaser: teaser && [
          Object.keys(teaser.data).filter((name) => !name.startsWith('_')), 'body' in teaser, (await render(teaser)).headings,
        ],
        draft: (await getEntry('drafts', '12'))?.data.title, digest: harbour?.digest,
      });
    }`,
};

let service: RunningEmulator;
let site: Site;
const env = () => ({
  LUID_BASE_URL: service.baseUrl,
  LUID_API_KEY: 'published',
  LUID_DRAFT_API_KEY: 'drafts',
});
const build = async (more: NodeJS.ProcessEnv = {}) => {
  service.clearLog();
  const log = await site.astro(['build'], more);
  return { log, page: site.json<Record<string, unknown>>('index.json') };
};

beforeAll(async () => {
  service = await startEmulator(seed);
  site = createSite(FILES, env());
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

describe('collections of a real build', () => {
  let first: Awaited<ReturnType<typeof build>>;
  beforeAll(async () => {
    first = await build();
  });

  test('contain published entries, and drafts only with `drafts: true`', () => {
    expect(first.page).toMatchObject({
      article: ['11', '12'],
      articles: ['11', '12'],
      drafts: ['11', '12', '13'],
      draft: 'Tea, again',
    });
  });
  test('warn once about a field that the model map lacks, however many collections show it', () => {
    expect(first.log.match(/article has undeclared fields: lead \(/g)).toHaveLength(1);
  });
  test('have ids from a field', () => {
    expect(first.page.authors).toEqual(['Mori', 'Tanaka']);
  });
  test('have references resolved to their depth, and rendered bodies with headings', () => {
    expect(first.page).toMatchObject({
      author: 'Mori',
      deep: 'Mori',
      headings: [{ depth: 2, slug: 'boats', text: 'Boats' }],
    });
  });
  test('keep only the `fields`, and render a body that is not among them', () => {
    expect(first.page.teaser).toEqual([['title'], false, [{ depth: 2, slug: 'boats', text: 'Boats' }]]);
  });
  test('have neighbours in the requested order', () => {
    expect(first.page.next).toBe('12');
  });
  test('turn references into Astro’s references, which Astro resolves', () => {
    expect(first.page).toMatchObject({ reference: { collection: 'authors', id: 'Mori' }, resolved: 'Mori' });
  });
  test('are filtered as the service filters', () => {
    expect(first.page.news).toEqual(['11']);
  });
  test('contain several languages, and list those of each entry', () => {
    expect(first.page).toMatchObject({
      both: ['en/11', 'ja/11', 'ja/12'],
      english: ['en', 'Harbour (en)', { current: 'en', available: ['ja', 'en'] }],
    });
  });
  test('use fallback data for what a language lacks, and mark it', () => {
    expect(first.page).toMatchObject({ filled: ['11', '12'], fallback: ['Tea', true] });
  });
});

describe('a rebuild', () => {
  test('with nothing changed sends no request that counts against the limit, and changes no digest', async () => {
    const before = (await build()).page;
    const { page } = await build();
    expect(service.log.filter(({ counted, query }) => counted && !query.includes('drafts'))).toSatisfy(
      (entries: typeof service.log) => entries.every(({ cdn }) => cdn === 'pass'),
    );
    expect(page).toEqual(before);
  });

  test('after a changed config cleared Astro’s store sends no additional requests', async () => {
    await build();
    const before = service.log.length;
    site.write({ 'astro.config.mjs': 'export default { trailingSlash: "always" };' });
    const { log } = await build();
    expect(log).toContain('Clearing content store');
    expect(service.log.length).toBeLessThanOrEqual(before);
  });

  test('updates every entry that embeds an edited author', async () => {
    const before = (await build()).page;
    service.contents.edit(1, { name: 'Sato' });
    const { page } = await build();
    expect(page).toMatchObject({ author: 'Sato', deep: 'Sato', resolved: 'Sato', news: [] });
    expect(page.digest).not.toBe(before.digest);
    service.contents.edit(1, { name: 'Mori' });
  });

  test('removes archived content', async () => {
    service.contents.archive(12);
    expect((await build()).page).toMatchObject({ article: ['11'], both: ['en/11', 'ja/11'] });
    service.contents.restore(12);
    expect((await build()).page).toMatchObject({ article: ['11', '12'] });
  });

  test('loads a language that was added', async () => {
    service.contents.edit(12, { title: 'Tea (en)' }, { lang: 'en' });
    expect((await build()).page).toMatchObject({
      both: ['en/11', 'en/12', 'ja/11', 'ja/12'],
      fallback: ['Tea (en)', false],
    });
  });

  test('of a sub-space contains only that', async () => {
    site.write({ 'src/space.ts': SPACE(`space: 'shop',`) });
    await expect(site.astro(['sync'])).resolves.toContain('Content (ja): 1 item, 1 added;');
    site.write({ 'src/space.ts': SPACE() });
  });
});

describe('when the service fails', () => {
  const down = () => service.faults.add({ times: 1000, kind: { status: 403 } });

  test('a build fails with the reason', async () => {
    const mend = down();
    await expect(build()).rejects.toThrow(/403 Forbidden/);
    mend();
  });

  test('a build with `onError: stale` uses cached content, with a warning', async () => {
    site.write({ 'src/space.ts': SPACE(`onError: 'stale',`) });
    await build();
    const mend = down();
    const { log, page } = await build();
    mend();
    expect(log).toContain('Service unavailable; using cached content');
    expect(page).toMatchObject({ articles: ['11', '12'] });
    site.write({ 'src/space.ts': SPACE() });
  });

  test('a build waits until 429 responses end', async () => {
    await build();
    service.contents.edit(11, { lead: 'After the storm' });
    service.faults.add({ times: 6, kind: { status: 429, retryAfter: 1 } });
    await expect(build()).resolves.toBeDefined();
  });
});

describe('invalid entries', () => {
  test('fail the build, each listed once with all its problems', async () => {
    service.contents.edit(11, { title: '', category: 'sport' });
    const failure = build();
    await expect(failure).rejects.toThrow(
      /1 item does not match the declared models:\n {2}article\.title: 1 item\n {4}article 11 "": required, but empty[^\n]*\n {2}article\.category: 1 item \(found "sport"\)\n {4}article 11 "": expected one of "news", "event", found "sport"[^\n]*\n {2}→ Run `npx luid check`[^\n]*`onInvalid: "skip"`/,
    );
    service.contents.edit(11, { title: 'Harbour', category: 'news' });
  });

  test('are skipped with a warning with `onInvalid: skip`', async () => {
    site.write({ 'src/space.ts': SPACE(`onInvalid: 'skip',`) });
    service.contents.edit(1, { name: '' });
    const { log, page } = await build();
    expect(log).toMatch(/authors: 1 entry is skipped\. author 1 "" has no id: the field name is ""/);
    expect(page).toMatchObject({ authors: ['Tanaka'] });
    service.contents.edit(1, { name: 'Mori' });
    expect((await build()).page).toMatchObject({ authors: ['Mori', 'Tanaka'] });
  });
});
