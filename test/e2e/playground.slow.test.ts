import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shop, space } from '../../playground/src/space.ts';
import { type RunningEmulator, type Seed, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createPlaygroundSite, pagesIn } from './playground-site.ts';
import type { Site } from './site.ts';

let service: RunningEmulator;
let site: Site;
let log: string;

beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  service = await startEmulator(seed, { directory });
  site = createPlaygroundSite(service);
  log = await site.astro(['build']);
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

const page = (path: string) => site.built(join('client', path, 'index.html'));
const contentRequests = () => service.log.filter(({ path }) => path.endsWith('/contents'));

describe('the playground, built from the sample space', () => {
  test('shows an article with its references, two levels deep', () => {
    const html = page('articles/harbour-at-dusk');
    expect(html).toContain('夕暮れの港を歩く');
    expect(html).toContain('大西 剛');
    expect(html).toMatch(
      /href="\/categories\/food\/"[^>]*>食<.*href="\/categories\/from-the-sea\/"[^>]*>海のもの</s,
    );
    expect(html).toContain('href="/articles/four-in-the-morning/"');
    expect(html).toContain('<h2 id="市場の朝を待つ">市場の朝を待つ</h2>');
  });

  test('shows a translation only where there is one', () => {
    expect(page('en/articles/harbour-at-dusk')).toContain('Walking the harbour at dusk');
    expect(() => page('en/articles/night-train')).toThrow('ENOENT');
    expect(page('en')).not.toContain('night-train');
  });

  test('shows no drafts and no archived content', () => {
    expect(page('articles/night-train')).toContain('夜行列車の窓');
    expect(page('articles/night-train')).not.toContain('夜行列車の窓、その先');
    expect(() => page('articles/island-library')).toThrow('ENOENT');
    expect(page('articles/harbour-at-dusk')).not.toContain('古い桟橋');
    expect(page('articles/launch-day')).not.toContain('佐伯');
  });

  test('has no broken links', () => {
    const folder = join(site.folder, 'dist/client');
    const built = new Set(globSync('**/*.{html,xml,svg,css}', { cwd: folder }).map((file) => `/${file}`));
    const dead = [...built]
      .filter((file) => file.endsWith('.html'))
      .flatMap((file) =>
        [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:href|src)="(\/[^"#]*)/g)]
          .map(([, link = '']) => link)
          .filter((link) => !built.has(link.endsWith('/') ? `${link}index.html` : link))
          .map((link) => `${file} → ${link}`),
      );
    expect(dead).toEqual([]);
  });

  test('declares the models that the space has', () => {
    const { models } = sampleSeed().seed as Seed;
    expect(withoutLooks({ ...space.models, ...shop.models })).toEqual(withoutLooks(models));
  });

  test('requested every page of every model once, in both languages', () => {
    expect(log).toMatch(/154 items, 154 added/);
    expect(log).toMatch(/115 items, 115 added/);
    const asked = contentRequests().map(({ query }) => query);
    const pages = asked.filter((query) => query.includes('order=_created_at'));
    expect(new Set(pages).size).toBe(pages.length);
  });

  test('keeps its keys out of everything that was built', () => {
    const files = globSync('dist/**/*.*', { cwd: site.folder });
    expect(files.length).toBeGreaterThan(250);
    for (const file of files) {
      const text = site.source(file);
      for (const key of ['published-key', 'draft-key']) expect(text.includes(key), file).toBe(false);
    }
    expect(log).not.toContain('-key');
  });
});

describe('the playground, built again', () => {
  test('renders only feeds if nothing changed', async () => {
    const { rendered, restored } = pagesIn(await site.astro(['build']));
    expect(rendered.filter((path) => !path.endsWith('rss.xml')).sort()).toEqual(['/404.html']);
    expect(restored.length).toBeGreaterThan(250);
  });

  test('renders every page that shows an edited author, and few others', async () => {
    service.contents.edit(204, { name: 'アンナ・ベリ' }, { lang: 'ja' });
    const { rendered } = pagesIn(await site.astro(['build']));
    expect(page('authors/berg')).toContain('アンナ・ベリ');
    expect(page('articles/blue-hands')).toContain('アンナ・ベリ');
    expect(rendered).toContain('/articles/blue-hands/');
    expect(rendered).not.toContain('/articles/harbour-at-dusk/');
    expect(rendered).not.toContain('/tags/night/');
  });

  test('removes an archived article, and the links to it', async () => {
    expect(page('')).toContain('/articles/night-train/');
    service.contents.archive(303);
    await site.astro(['build']);
    for (const path of ['', 'articles', 'tags/night', 'authors/tanaka', 'categories/rail-and-boat']) {
      expect(page(path)).not.toContain('/articles/night-train/');
    }
  });

  test('is built from the cache with LUID_OFFLINE', async () => {
    service.clearLog();
    await site.astro(['build'], { LUID_OFFLINE: '1' });
    expect(contentRequests()).toEqual([]);
    expect(page('authors/berg')).toContain('アンナ・ベリ');
  });
});

describe('a build that cannot be correct fails with the reason', () => {
  test('with a wrong key', async () => {
    await expect(site.astro(['build'], { LUID_API_KEY: 'wrong' })).rejects.toThrow(
      /401 Unauthorized[\s\S]*check LUID_API_KEY/,
    );
  });

  test('without a key', async () => {
    await expect(site.astro(['build'], { LUID_API_KEY: '' })).rejects.toThrow(
      /The space has no apiKey[\s\S]*Set LUID_API_KEY/,
    );
  });

  test('with invalid entries, all of them listed', async () => {
    service.contents.edit(703, { title: '' }, { lang: 'ja' });
    service.contents.edit(704, { title: '' }, { lang: 'ja' });
    const failure = site.astro(['build']);
    await expect(failure).rejects.toThrow(/2 items do not match the declared models/);
    await expect(failure).rejects.toThrow(
      /gallery\.title: 2 items\n\s+gallery 703 "": required, but empty: fill it in/,
    );
    await expect(failure).rejects.toThrow(/gallery 704 "": required/);
  });
});

/** Models without what decides only how a site shows a field. */
function withoutLooks(models: object): unknown {
  const isLook = (key: string) => ['dimensions', 'images', 'placeholder'].includes(key);
  return JSON.parse(JSON.stringify(models, (key, value) => (isLook(key) ? undefined : value)));
}
