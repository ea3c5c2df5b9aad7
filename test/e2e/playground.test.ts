import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { run } from '../run.ts';

const ROOT = join(import.meta.dirname, '../..');

let running: RunningEmulator;
let folder: string;
let log: string;

beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  running = await startEmulator(seed, { directory });
  folder = mkdtempSync(join(tmpdir(), 'astro-luid-playground-'));
  log = await build();
});

afterAll(async () => {
  await running?.close();
  rmSync(folder, { recursive: true, force: true });
});

function build(extra: NodeJS.ProcessEnv = {}): Promise<string> {
  const { VITEST, ...env } = process.env;
  return run(join(ROOT, 'node_modules/.bin/astro'), ['build', '--outDir', folder], {
    cwd: join(ROOT, 'playground'),
    env: {
      ...env,
      LUID_BASE_URL: running.baseUrl,
      LUID_ASSETS_URL: running.assetsUrl,
      LUID_API_KEY: 'published-key',
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      ...extra,
    },
  });
}

const page = (path: string) => readFileSync(join(folder, path, 'index.html'), 'utf8');

describe('the playground, built from the sample space', () => {
  test('shows an article, its author two references in, and its related articles', () => {
    const html = page('articles/harbour-at-dusk');
    expect(html).toContain('夕暮れの港を歩く');
    expect(html).toContain('森 ゆり');
    expect(html).toContain('href="/articles/tea-field-morning/"');
    expect(html).toContain('<h2 id="市場の朝を待つ">市場の朝を待つ</h2>');
  });

  test('shows pictures that are there, with their alternative text', async () => {
    const [, src = '', alt] =
      /<img [^>]*src="([^"]+)"[^>]* alt="([^"]+)"/.exec(page('articles/harbour-at-dusk')) ?? [];
    expect(alt).toBe('夕暮れの港');
    const picture = await fetch(src.replaceAll('&amp;', '&'));
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
  });

  test('shows no draft', () => {
    expect(page('articles/night-train')).toContain('夜行列車の窓');
    expect(page('articles/night-train')).not.toContain('夜行列車の窓、その先');
  });

  test('asked for each model once, and for what is newest before and after', () => {
    expect(log).toContain('5 items: 5 added; 6 requests');
    expect(running.log.filter(({ path }) => path.endsWith('/contents'))).toHaveLength(6);
  });

  test('keeps its key out of everything that was built', () => {
    const files = [page(''), page('articles/harbour-at-dusk'), log];
    for (const text of files) expect(text).not.toContain('published-key');
  });

  test('follows an edit of the author', async () => {
    running.contents.edit(201, { name: '森 百合' }, { lang: 'ja' });
    await build();
    expect(page('articles/harbour-at-dusk')).toContain('森 百合');
    expect(page('articles/harbour-at-dusk')).not.toContain('森 ゆり<');
  });

  test('loses an article that was archived, and the links to it', async () => {
    running.contents.archive(303);
    await build();
    expect(page('')).not.toContain('夜行列車');
    expect(page('articles/harbour-at-dusk')).not.toContain('夜行列車');
  });

  test('is built from the last snapshot when told to work offline', async () => {
    running.clearLog();
    await build({ LUID_OFFLINE: '1' });
    expect(running.log.filter(({ path }) => path.endsWith('/contents'))).toEqual([]);
    expect(page('articles/harbour-at-dusk')).toContain('森 百合');
  });
});

describe('a build that cannot be right fails, and says why', () => {
  test('with a wrong key', async () => {
    await expect(build({ LUID_API_KEY: 'wrong' })).rejects.toThrow(
      /401 Unauthorized[\s\S]*check LUID_API_KEY/,
    );
  });

  test('without a key', async () => {
    await expect(build({ LUID_API_KEY: '' })).rejects.toThrow(
      /The space has no apiKey[\s\S]*Set LUID_API_KEY/,
    );
  });

  test('with entries that do not fit, all of them listed', async () => {
    running.contents.edit(301, { title: '' }, { lang: 'ja' });
    running.contents.edit(302, { title: '', slug: '' }, { lang: 'ja' });
    running.contents.edit(302, { slug: 'tea' }, { lang: 'ja' });
    const failure = build();
    await expect(failure).rejects.toThrow(/2 items do not fit the declared models/);
    await expect(failure).rejects.toThrow(/article 301 ""\n\s+title: required, but empty: fill it in/);
    await expect(failure).rejects.toThrow(/article 302 ""\n\s+title: required[^\n]*\n(?!\s+related)/);
  });
});
