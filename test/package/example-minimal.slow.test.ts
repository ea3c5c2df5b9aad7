import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { run } from '../support/run-command.ts';
import { installExample } from './example.ts';
import { createFolder, pack, shellEnvironment, writeFiles } from './pack.ts';

interface Article {
  readonly title: string;
  readonly slug: string;
  readonly lead: string;
  readonly body: string;
  readonly cover: { readonly url: string; readonly alt: string } | null;
  readonly author: { readonly name: string } | null;
  readonly _published_at: string;
}

const { folder, remove } = createFolder();
const project = join(folder, 'site');
let service: RunningEmulator;
let articles: Article[];

beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  service = await startEmulator(seed, { directory });
  articles = await readArticles();
  await installExample('minimal', project, await pack(folder));
  const env = readFileSync(join(project, '.env.example'), 'utf8');
  writeFiles(project, {
    '.env': env.replaceAll('http://127.0.0.1:4010', new URL(service.baseUrl).origin),
  });
  await run('npm', ['run', 'build'], { cwd: project, env: shellEnvironment() });
});
afterAll(async () => {
  await service?.close();
  remove();
});

/** All articles as the service returns them, newest first. */
async function readArticles(): Promise<Article[]> {
  const found: Article[] = [];
  for (let total = 1; found.length < total; ) {
    const query = `model=article&depth=1&limit=100&offset=${found.length}&order=-_published_at`;
    const response = await fetch(`${service.baseUrl}/contents?${query}`, {
      headers: { 'X-SERVICE-API-KEY': 'published-key' },
    });
    const body = (await response.json()) as { total: number; data: Article[] };
    total = body.total;
    found.push(...body.data);
  }
  return found;
}

const page = (path: string) => readFileSync(join(project, 'dist', path, 'index.html'), 'utf8');

/** The text of HTML as a reader sees it, without white space. */
function textOf(html: string): string {
  const collect = (node: DefaultTreeAdapterTypes.ChildNode): string => {
    if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
    return 'childNodes' in node ? node.childNodes.map(collect).join('') : '';
  };
  return parseFragment(html).childNodes.map(collect).join('').replaceAll(/\s/g, '');
}

test('the list links to every article, newest first, with its title, lead and cover', () => {
  const items = page('')
    .split(/(?=<li[ >])/)
    .slice(1);
  expect(articles.length).toBeGreaterThan(100);
  expect(items).toHaveLength(articles.length);
  const slugs = items.map((item) => /href="\/articles\/([^/"]+)\/"/.exec(item)?.[1]);
  const times = slugs.map((slug) => articles.find((article) => article.slug === slug)?._published_at ?? '');
  expect(times).toEqual(times.toSorted().reverse());
  for (const { title, slug, lead, cover } of articles) {
    const item = items[slugs.indexOf(slug)] ?? '';
    for (const text of [title, lead]) expect(textOf(item)).toContain(textOf(text));
    expect(item.includes('<img')).toBe(cover !== null);
    if (cover) expect(item).toContain(`src="${cover.url}?width=400&amp;height=260`);
  }
});

test('every article has a page with what the service returns for it', () => {
  for (const { title, slug, lead, body, cover, author, _published_at } of articles) {
    const html = page(`articles/${slug}`);
    const text = textOf(html);
    expect(html).toContain(`<time datetime="${new Date(_published_at).toISOString()}"`);
    for (const part of [title, lead, author?.name ?? '', textOf(body)]) {
      expect(text, slug).toContain(textOf(part));
    }
    const images = [cover?.url, ...[...body.matchAll(/<img src="([^"?]+)/g)].map(([, url]) => url)];
    for (const url of images) if (url) expect(html, slug).toContain(`src="${url}?width=`);
  }
});
