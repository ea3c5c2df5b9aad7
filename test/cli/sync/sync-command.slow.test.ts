import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { filesIn } from '../../support/folder-files.ts';
import { createProject, LUID, type Project } from '../support/cli-project.ts';

const MODELS = `{
  article: { title: field.text({ title: true }), cover: field.media() },
  author: { name: field.text({ title: true }) },
}`;

const spaceFile = (options = '') => `import { defineSpace, field } from 'astro-luid';
export const space = defineSpace({
  languages: { main: 'ja', sub: ['en'] },
  network: { retries: 0 },
  models: ${MODELS},
  ${options}
});
`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** More than fits in one round of requests, so that the second sync is incremental. */
const ARTICLES = 1_700;

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'the-published-key', reads: 'published' },
    { key: 'the-drafts-key', reads: 'drafts' },
  ],
  models: {
    article: { title: { type: 'text', title: true }, cover: { type: 'media' } },
    author: { name: { type: 'text', title: true } },
  },
  media: [{ id: 900, file: 'a.jpg', alt: { ja: 'before' } }],
  contents: [
    ...Array.from({ length: ARTICLES }, (_, n) => ({
      id: n + 1,
      model: 'article',
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      published: { ja: { title: `記事 ${n}`, ...(n === 0 && { cover: 900 }) } },
    })),
    {
      id: 9_001,
      model: 'author',
      created_at: '2026-01-02T00:00:00Z',
      published: { ja: { name: '森' }, en: { name: 'Mori' } },
      draft: { ja: { name: '森 鷗外' } },
    },
  ],
};

describe('luid sync', () => {
  let service: RunningEmulator;
  let project: Project;
  const media = mkdtempSync(join(tmpdir(), 'astro-luid-media-'));
  beforeAll(async () => {
    writeFileSync(join(media, 'a.jpg'), PIXEL);
    service = await startEmulator(seed, { directory: media, rateLimit: false });
  });
  afterAll(async () => {
    await service.close();
    rmSync(media, { recursive: true, force: true });
  });
  beforeEach(() => {
    project = createProject();
    project.install();
    project.write(
      '.env',
      `LUID_BASE_URL=${service.baseUrl}\nLUID_API_KEY=the-published-key\nLUID_DRAFT_API_KEY=the-drafts-key\n`,
    );
    project.write('src/space.ts', spaceFile());
    service.latency = 0;
  });
  afterEach(() => project.remove());

  const cache = () => filesIn(join(project.folder, 'node_modules/.astro/astro-luid'));

  test('updates the cache in all languages, and reports the number of requests', async () => {
    const first = await project.luid(['sync']);
    expect([first.code, first.stdout]).toEqual([0, '']);
    expect(first.stderr).toMatch(/^ja: 1,701 items, 1,701 added; \d+ requests/);
    expect(first.stderr).toMatch(/^en: 1 item, 1 added; \d+ requests/m);
    const second = await project.luid(['sync', '--json']);
    const { languages } = JSON.parse(second.stdout) as { languages: Record<string, unknown>[] };
    expect(languages).toMatchObject([
      { lang: 'ja', items: 1_701, added: 0, changed: 0, removed: 0, requests: 2 },
      { lang: 'en', items: 1 },
    ]);
  });

  test('a build continues with the updated cache', async () => {
    project.write('package.json', '{ "type": "module" }');
    project.write('astro.config.mjs', 'export default {};');
    project.write(
      'src/content.config.ts',
      `import { defineCollection } from 'astro:content';
       import { space } from './space';
       export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
    );
    await project.luid(['sync', '--lang', 'ja']);
    const files = cache();
    service.clearLog();
    await project.astro(['sync']);
    expect(service.log.map(({ query }) => new URLSearchParams(query).get('order')).sort()).toEqual([
      '-_last_published_at',
      '-_updated_at',
    ]);
    expect(cache()).toEqual(files);
  });

  test('reads the images that fields need to know something of, once', async () => {
    const read = () => project.luid(['sync', '--lang', 'ja']);
    const images = () => service.log.filter(({ path }) => path.includes('a.jpg')).length;
    project.write('.env', `${project.read('.env')}LUID_ASSETS_URL=${service.assetsUrl}\n`);
    project.write('src/space.ts', spaceFile('dimensions: true,'));
    service.clearLog();
    expect(await read()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Read the dimensions of 1 image'),
    });
    expect(images()).toBeGreaterThan(0);
    service.clearLog();
    await read();
    expect(images()).toBe(0);
  });

  describe('with a storage that keeps a connection open', () => {
    const storage = (dispose: string) => `cache: { storage: createStorage({ driver: (() => {
      const timer = setInterval(() => {}, 1000);
      return { ...memory(), dispose: () => { ${dispose} } };
    })() }) },`;
    const write = (dispose: string) =>
      project.write(
        'src/space.ts',
        `import { createStorage } from 'unstorage';
         import memory from 'unstorage/drivers/memory';
         ${spaceFile(storage(dispose))}`,
      );

    test('closes it', async () => {
      write('clearInterval(timer);');
      const { code, stderr } = await project.luid(['sync']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('still open')]);
    });

    test('ends although it cannot be closed, and reports what is open', async () => {
      write('');
      const { code, stdout, stderr } = await project.luid(['sync', '--json']);
      expect([code, JSON.parse(stdout).languages.length]).toEqual([0, 2]);
      expect(stderr).toMatch(/warning Ended, although something is still open \(Timeout\)/);
    });
  });

  test('--drafts syncs a separate replica with the draft key', async () => {
    await project.luid(['sync', '--lang', 'ja']);
    const published = cache();
    const { code, stdout } = await project.luid(['sync', '--drafts', '--stats', '--json']);
    expect([code, cache().length > published.length]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toMatchObject({
      languages: [{ models: [{ model: 'article', items: ARTICLES, segments: 7 }, { model: 'author' }] }, {}],
    });
  });

  test('--stats prints items, bytes, files and age', async () => {
    const { stdout } = await project.luid(['sync', '--stats']);
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^model +language +items +bytes +files +age$/);
    expect(rows[0]).toMatch(/^article +ja +1,700 +\d+,\d+ +7 +\d+ s old$/);
    expect(rows).toHaveLength(4);
  });

  test('--stats after --verify shows a new age, also for models without differences', async () => {
    const readAt = async (...args: string[]) => {
      const { stdout } = await project.luid(['sync', '--stats', '--json', ...args]);
      const { languages } = JSON.parse(stdout) as { languages: { models: { readAt: number }[] }[] };
      return languages.flatMap(({ models }) => models.map((model) => model.readAt));
    };
    const before = await readAt();
    const started = Date.now();
    const after = await readAt('--verify');
    expect(Math.max(...before)).toBeLessThan(started);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(started);
  });

  test('--verify reports changes that an incremental sync cannot see', async () => {
    await project.luid(['sync']);
    service.media.setAlt(900, 'after');
    expect((await project.luid(['sync'])).stderr).toContain('none changed');
    const { code, stderr } = await project.luid(['sync', '--verify']);
    expect(code).toBe(0);
    expect(stderr).toContain('Verified in ja: updated 1 item that differed from the service\n');
    expect(stderr).toContain('  changed article 1 "記事 0": cover\n');
    expect(stderr).toContain('Verified in en: the cache matches the service\n');
    const again = await project.luid(['sync', '--verify', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ languages: [{ differences: [] }, { differences: [] }] });
  });

  test('Ctrl-C exits with code 130 and leaves no half-written file', async () => {
    service.latency = 100;
    const child = spawn(process.execPath, [LUID, 'sync'], { cwd: project.folder, stdio: 'ignore' });
    service.clearLog();
    await expect.poll(() => service.log.length).toBeGreaterThan(3);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(cache().filter((file) => file.endsWith('.partial'))).toEqual([]);
    service.latency = 0;
    expect((await project.luid(['sync'])).stderr).toContain('1,701 added');
  });

  describe('exits with code 1 and a hint', () => {
    test.each<[string, NodeJS.ProcessEnv, RegExp]>([
      [
        'a wrong key',
        { LUID_API_KEY: 'wrong-key' },
        /401.*\n {2}→ The key is missing or wrong: check LUID_API_KEY/,
      ],
      [
        'an unreachable service',
        { LUID_BASE_URL: 'http://127.0.0.1:9/v1' },
        /`fetch` blocks this port\n {2}→ See the Fetch standard\. Check the URL/,
      ],
      ['an invalid URL', { LUID_BASE_URL: 'luid' }, /baseUrl must be an http\(s\) URL, got a string without/],
      ['LUID_OFFLINE', { LUID_OFFLINE: '1' }, /LUID_OFFLINE is set/],
    ])('%s', async (_, env, message) => {
      const { code, stdout, stderr } = await project.luid(['sync'], env);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/^luid sync: /);
      expect(stderr).not.toMatch(/wrong-key|the-published-key|\n {4}at /);
    });

    test('a cache that is not writable', async () => {
      project.write('in-the-way', 'a file');
      const { code, stderr } = await project.luid(['sync', '--cache-dir', 'in-the-way']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^luid sync: Cannot use the cache: .*in-the-way/),
      ]);
      expect(project.read('in-the-way')).toBe('a file');
    });

    test('a space without a cache', async () => {
      project.write('src/space.ts', spaceFile('cache: false'));
      const { code, stderr } = await project.luid(['sync']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('`cache: false`')]);
    });

    test('an unknown language', async () => {
      const { code, stderr } = await project.luid(['sync', '--lang', 'fr']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('The space declares ja, en')]);
    });
  });

  test('finds the cache.dir of a space from another folder', async () => {
    project.write('src/space.ts', spaceFile("cache: { dir: './kept' }"));
    const other = createProject();
    try {
      const { code } = await other.luid(['sync', '--dir', project.folder, '--lang', 'ja']);
      expect([code, readdirSync(join(project.folder, 'kept'))]).toEqual([0, ['v10']]);
      expect(readdirSync(other.folder)).toEqual([]);
    } finally {
      other.remove();
    }
  });
});
