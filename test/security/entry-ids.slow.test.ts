import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { createLoaderContext } from './loader-context.ts';

/** Ids with path traversal in a URL or a file system, and ids that are not valid file names. */
const HOSTILE = [
  '.',
  '..',
  '../x',
  '../../../articles/x',
  '../../../../escaped',
  'a/../../../escaped',
  'a/./b',
  './x',
  'x/..',
  'x/.',
  '/etc/escaped',
  '//host/x',
  '/',
  'a//b',
  'x/',
  '..\\..\\escaped',
  'a\\b',
  '\\',
  'nul\u0000x',
  'a\nb',
  '.\t.',
  '\u007f',
  'a\u0085b',
  '%2e%2e',
  '%2E/x',
  '.%2e/escaped',
  '%2e%2e%2fescaped',
  'a%2F..%5Cescaped',
  '%252e%252e%252fescaped',
  'x%0a::error::y',
  'x%1b%5b2J',
  'x%00',
  'a'.repeat(256),
  '港'.repeat(86),
  '\ud800',
];
const HARMLESS = [
  'x',
  'a/b',
  'a.b',
  '...',
  '..a',
  'a..',
  '.well-known',
  '港',
  'a b',
  '~',
  '-',
  '0',
  "o'neil",
  'a'.repeat(200),
];

const contents = (ids: readonly string[]) =>
  ids.map((slug, index) => ({
    id: index + 1,
    model: 'article',
    created_at: '2026-01-01T00:00:00Z',
    published: { ja: { title: `no. ${index}`, slug }, en: { title: `no. ${index}`, slug } },
  }));
const seedOf = (ids: readonly string[]) => ({
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'k', reads: 'published' }],
  models: { article: { title: { type: 'text', title: true }, slug: { type: 'text' } } },
  contents: contents(ids),
});
const models = { article: { title: field.text(), slug: field.text() } };

describe('an entry id that could escape its folder', () => {
  let service: RunningEmulator;
  beforeAll(async () => {
    service = await startEmulator(seedOf([...HARMLESS, ...HOSTILE]), { rateLimit: false });
  });
  afterAll(() => service?.close());
  const spaceOf = (onInvalid: 'fail' | 'skip') =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'k',
      languages: { main: 'ja', sub: ['en'] },
      models,
      onInvalid,
    });
  const load = async (onInvalid: 'fail' | 'skip', options: object) => {
    const { context, entries, lines } = createLoaderContext();
    await spaceOf(onInvalid).loader('article', options).load(context);
    return {
      ids: entries()
        .map(({ id }) => id)
        .sort(),
      lines,
    };
  };

  test.each([
    ['a field', { id: 'slug' }],
    ['a function', { id: ({ slug }: { slug: string }) => slug }],
    ['one language', { id: 'slug', lang: 'en' }],
  ])('from %s fails the build, or is skipped', async (_, options) => {
    await expect(load('fail', options)).rejects.toThrow(
      new RegExp(`${HOSTILE.length} items have no usable id:`),
    );
    const { ids, lines } = await load('skip', options);
    expect(ids).toEqual([...HARMLESS].sort());
    expect(lines.join('\n')).toContain(`${HOSTILE.length} entries are skipped.`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: not allowed in logs
    expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u007f-\u009f]/);
  });

  test('is rejected after a language prefix too', async () => {
    const { ids } = await load('skip', { id: 'slug', langs: ['ja', 'en'] });
    expect(ids).toEqual(HARMLESS.flatMap((id) => [`en/${id}`, `ja/${id}`]).sort());
    await expect(load('fail', { id: 'slug', langs: ['ja', 'en'] })).rejects.toThrow(/have no usable id/);
  });

  test('is invalid for a live loader, and skipped in its lists', async () => {
    const live = spaceOf('skip').liveLoader('article', { from: 'service', id: 'slug' });
    for (const id of HOSTILE.filter((hostile) => hostile.isWellFormed())) {
      const found = await live.loadEntry({ filter: { id }, collection: 'live' } as never);
      expect(found === undefined || 'error' in found, id).toBe(true);
    }
    const list = await live.loadCollection({ filter: {}, collection: 'live' } as never);
    expect('entries' in list && list.entries.map(({ id }) => id).sort()).toEqual([...HARMLESS].sort());
    const strict = await spaceOf('fail')
      .liveLoader('article', { from: 'service', id: 'slug' })
      .loadCollection({ filter: {} } as never);
    expect(strict).toMatchObject({ error: { name: 'LuidContentError' } });
  });
});

/** The build runs in a separate folder, so that files outside `dist` are noticed. */
describe.each(['[id]', '[...id]'])('a real build with the route %s', (route) => {
  let service: RunningEmulator;
  let site: Site;
  // Harmless ids that the route can match, and all hostile ones.
  const ids = ['x', ...(route === '[id]' ? [] : ['a/b']), ...HOSTILE];
  const files = (onInvalid: string) => ({
    'src/space.ts': `
      import { defineSpace, field } from 'astro-luid';
      export const space = defineSpace({ onInvalid: '${onInvalid}', models: { article: { title: field.text(), slug: field.text() } } });`,
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      import { space } from './space.ts';
      export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
    [`src/pages/articles/${route}.astro`]: `---
import { getCollection } from 'astro:content';
export async function getStaticPaths() {
  const articles = await getCollection('articles');
  return articles.map((article) => ({ params: { id: article.id }, props: { article } }));
}
---
<h1>{Astro.props.article.data.title}</h1>`,
  });
  /** Files outside the folders that a build may write to, including the targets of the ids above. */
  const outside = () => [
    ...readdirSync(site.folder).filter((name) => !['dist', '.astro', 'node_modules'].includes(name)),
    ...readdirSync(join(site.folder, 'src'), { recursive: true }).map(String),
    ...['/etc/escaped', '/escaped', '../articles', '../escaped', '../x']
      .map((path) => resolve(site.folder, path))
      .filter((path) => existsSync(path)),
  ];

  beforeAll(async () => {
    service = await startEmulator(seedOf(ids), { rateLimit: false });
    site = createSite(files('skip'), { LUID_BASE_URL: service.baseUrl, LUID_API_KEY: 'k' });
  });
  afterAll(async () => {
    await service?.close();
    site?.remove();
  });

  test('writes nothing outside dist, and writes all harmless entries', async () => {
    const before = outside();
    const log = await site.astro(['build']);
    expect(log).toContain(`${HOSTILE.length} entries are skipped`);
    expect(outside()).toEqual(before);
    const pages = readdirSync(join(site.folder, 'dist'), { recursive: true }) as string[];
    expect(pages.filter((path) => path.endsWith('.html')).sort()).toEqual(
      ids
        .slice(0, -HOSTILE.length)
        .map((id) => `articles/${id}/index.html`)
        .sort(),
    );
  });

  test('fails by default, with the reason, and writes nothing', async () => {
    site.write(files('fail'));
    rmSync(join(site.folder, 'dist'), { recursive: true, force: true });
    const before = outside();
    await expect(site.astro(['build'])).rejects.toThrow(
      /items have no usable id:\s+article \d+ "no\. \d+" has an id with a "\." or "\.\." path segment/,
    );
    expect(outside()).toEqual(before);
    expect(existsSync(join(site.folder, 'dist'))).toBe(false);
  });
});
