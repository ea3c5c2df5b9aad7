import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDeadLinks } from '../../scripts/docs/dead-links.mjs';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import type { Site } from '../e2e/site.ts';
import { createSiteOf, RECIPES } from './document-sites.ts';

/** All configurations of the guides in one, and a page that shows every component. */
const MORE = {
  'astro.config.mjs': `
import i18n from './with-i18n/astro.config.mjs';
import incremental from './with-incremental-builds/astro.config.mjs';
import sitemap from './with-sitemap/astro.config.mjs';
export default { ...i18n, ...incremental, ...sitemap };
`,
  'src/pages/components.astro': `---
import { getCollection, getEntry } from 'astro:content';
import Body from '../components/Body.astro';
import Byline from '../components/Byline.astro';
import Cover from '../components/Cover.astro';
import LanguageSwitch from '../components/LanguageSwitch.astro';
import Related from '../components/Related.astro';
import Search from '../components/Search.astro';
import Searchable from '../components/Searchable.astro';
import Sections from '../components/Sections.astro';
import Story from '../components/Story.astro';
import Article from '../layouts/Article.astro';

const article = await getEntry('articles', 'harbour-at-dusk');
const translated = await getEntry('both', 'ja/harbour-at-dusk');
const linked = (await getCollection('linked')).find(({ data }) => data.slug === 'harbour-at-dusk');
const front = await getEntry('pages', 'front');
if (!article || !translated || !linked || !front) throw new Error('The sample has changed');
---
<Article article={translated}>
  <LanguageSwitch article={translated} />
  <section id="cover"><Cover data={article.data} /></section>
  <section id="byline"><Byline article={linked} /></section>
  <section id="related"><Related {article} /></section>
  <section id="body"><Body {article} /></section>
  <section id="story"><Story {article} /></section>
  <section id="sections"><Sections data={front.data} /></section>
  <Searchable {article} />
  <Search />
</Article>
`,
};

const { contents = [] } = sampleSeed().seed as { contents: Content[] };
interface Content {
  model: string;
  archived?: boolean;
  published?: Record<string, { slug: string; tags?: string[]; category?: number; title?: string }>;
}
const publishedOf = (model: string) =>
  contents.flatMap((one) => (one.model === model && one.published && !one.archived ? [one.published] : []));
const articles = publishedOf('article');

let service: RunningEmulator;
let site: Site;
let output: string;
beforeAll(async () => {
  service = await startEmulator();
  site = createSiteOf(RECIPES, service, MORE);
  output = stripVTControlCharacters(await site.astro(['build']));
});
afterAll(async () => {
  site?.remove();
  await service?.close();
});

const pagesIn = (path: string) =>
  readdirSync(join(site.folder, 'dist', path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

test('all guides together are a site that builds on the bundled sample, without a warning about content', () => {
  const warnings = output.split('\n').filter((line) => line.includes('[WARN]'));
  // Only two of the blocks have a component in the guide.
  expect(warnings.filter((line) => !line.includes('Blocks has no component'))).toEqual([]);
});

test('all links between pages lead somewhere', () => {
  const dead = findDeadLinks(join(site.folder, 'dist')).filter(
    (link: string) => !link.includes('/pagefind/'),
  );
  expect(dead).toEqual([]);
});

test('every article has a page in each language, and lists show all of them', () => {
  const slugs = articles.map(({ ja, en }) => (ja ?? en)?.slug).sort();
  expect(slugs.length).toBeGreaterThan(100);
  expect(pagesIn('articles').sort()).toEqual(slugs);
  expect(pagesIn('en/articles').length).toBe(slugs.length);
  const listed = ['index.html', ...pagesIn('news').map((page) => `${page}/index.html`)].flatMap((file) =>
    [...site.built(`news/${file}`).matchAll(/href="\/articles\/([^/"]+)\/"/g)].map(([, slug]) => slug),
  );
  expect(listed.sort()).toEqual(slugs);
});

test('pages of tags and categories list the articles that the service has', () => {
  const tagged = articles.filter(({ ja }) => ja?.tags?.includes('sea')).map(({ ja }) => ja?.slug);
  const links = [...site.built('tags/sea/index.html').matchAll(/href="\/articles\/([^/"]+)\/"/g)];
  expect(links.map(([, slug]) => slug).sort()).toEqual(tagged.sort());
  expect(pagesIn('categories').length).toBe(publishedOf('category').length);
  const craft = site.built('categories/craft/index.html');
  expect(craft).toContain('<a href="/categories/craft/" aria-current="page">手仕事</a>');
  expect([...craft.matchAll(/href="\/articles\//g)].length).toBeGreaterThan(5);
});

test('the feed has the newest articles with their category, and the sitemap no page twice', () => {
  const feed = site.built('rss.xml');
  expect(feed.match(/<item>/g)?.length).toBe(30);
  expect(feed.match(/<category>/g)?.length).toBeGreaterThan(20);
  expect(feed).not.toContain('data-luid-placeholder');
  const sitemap = site.built('sitemap-0.xml');
  const english = articles.filter(({ en }) => en).length;
  const urls = [...sitemap.matchAll(/<loc>https:\/\/site\.example(\/[^<]*)<\/loc>/g)].map(
    ([, url = '']) => url,
  );
  expect(urls.filter((url) => url.startsWith('/articles/')).length).toBe(articles.length);
  expect(urls.filter((url) => url.startsWith('/en/articles/')).length).toBe(english);
  expect(sitemap).toContain('hreflang="x-default"');
});

test('every component of the guides shows its part of the content', () => {
  const html = site.built('components/index.html');
  const partOf = (id: string) => html.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
  expect(partOf('cover')).toMatch(/<img [^>]*width="720"/);
  expect(partOf('byline')).toMatch(/<a href="\/authors\/[^"]+\/">[^<]+<\/a>/);
  expect(partOf('related').match(/<li>/g)?.length).toBeGreaterThan(1);
  for (const id of ['body', 'story']) expect(partOf(id)).toMatch(/<a href="#[^"]+">[\s\S]*<h2 id=/);
  expect(partOf('sections')).toMatch(/<h2><a href="\/articles\/harbour-at-dusk\/">[\s\S]*<blockquote>/);
  expect(html).toContain(
    '<link rel="alternate" hreflang="en" href="https://site.example/en/articles/harbour-at-dusk/"',
  );
});
