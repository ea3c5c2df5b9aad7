import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type RunningEmulator,
  type Seed,
  sampleSeed,
  startEmulator,
} from '../../../../src/emulator/index.ts';
import { createProject, type Project } from '../../support/cli-project.ts';
import { randomSpace } from '../../support/random-space.ts';
import { TINY_SPACE } from '../../support/tiny-space.ts';

const sample = sampleSeed();
const SPACES: [name: string, Seed, key: string, directory: string | undefined, srcDir: string][] = [
  ['the sample space', sample.seed as Seed, 'published-key', sample.directory, 'src'],
  ['generated space 3, in another srcDir', randomSpace(3), 'published', undefined, 'web/app'],
  // It has a model called `constructor`, which Astro cannot read as a collection.
  ['generated space 4', randomSpace(4), 'published', undefined, 'src'],
];

test('the page that luid init prints for an existing site builds, with the title of each entry', async () => {
  const service = await startEmulator();
  const project = createProject();
  try {
    project.write(
      'package.json',
      '{ "name": "mine", "type": "module", "dependencies": { "astro": "^7.3.4" } }',
    );
    project.write('astro.config.mjs', 'export default {};\n');
    project.write('src/pages/index.astro', '<h1>Mine</h1>');
    const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', 'published-key'];
    const { stderr } = await project.luid(args);
    const [, path = '', code = ''] =
      /A page per entry, for example as (\S+):\n\n((?: {2}.*\n|\n)+)/.exec(stderr) ?? [];
    expect(path).toBe('src/pages/article/[...id].astro');
    project.write(path, code.replaceAll(/^ {2}/gm, ''));
    project.install();
    await project.astro(['build']);
    expect(project.read('dist/article/ja/harbour-at-dusk/index.html')).toContain('<h1>夕暮れの港を歩く</h1>');
    expect(project.read('dist/article/en/harbour-at-dusk/index.html')).toContain(
      '<h1>Walking the harbour at dusk</h1>',
    );
    expect(project.read('.gitignore').split('\n')).toContain('.env');
  } finally {
    project.remove();
    await service.close();
  }
});

/** The home page, lists of 12 and a page per entry: in each language, if there are several. */
function expectedPages({ models = {}, contents = [] }: Seed): number {
  const shown = contents.filter(({ published, archived }) => published && !archived);
  const langs = new Set(shown.flatMap(({ published }) => Object.keys(published ?? {})));
  let pages = langs.size > 1 ? 1 + langs.size : 1;
  for (const name of Object.keys(models).filter((one) => one !== 'constructor')) {
    const own = shown.filter(({ model }) => model === name);
    for (const lang of langs) {
      const entries = own.filter(({ published }) => published?.[lang]);
      if (entries.length > 0) pages += entries.length + Math.ceil(entries.length / 12);
    }
  }
  return pages;
}

test('an entry links to what it refers to, and that page lists what refers to it', async () => {
  const service = await startEmulator(TINY_SPACE, { rateLimit: false });
  const project = createProject();
  try {
    await project.luid(['init', '--yes', '--base-url', service.baseUrl, '--api-key', 'published-key']);
    project.install();
    await project.astro(['build']);
    const article = project.read('dist/ja/article/302/index.html');
    expect(article).toContain('<a href="/ja/author/201/">Mori</a>');
    expect(article).toContain('<a href="/ja/article/301/">Harbour</a>');
    expect(article).toContain('<p>302</p>');
    expect(article).toContain('<p>sea</p>');
    const author = project.read('dist/ja/author/201/index.html');
    for (const id of [301, 302, 303]) expect(author).toContain(`<a href="/ja/article/${id}/">`);
    expect(project.read('dist/ja/author/202/index.html')).not.toContain('/ja/article/30');
    expect(project.read('dist/ja/article/301/index.html')).toMatch(
      /<a href="\/ja\/article\/301\/" lang="ja" aria-current="true">.*<a href="\/en\/article\/301\/" lang="en">/s,
    );
    expect(project.read('dist/en/index.html')).not.toContain('/en/author/');
  } finally {
    project.remove();
    await service.close();
  }
});

describe.each(SPACES)('the site that luid init writes for %s', (_, seed, key, directory, srcDir) => {
  let service: RunningEmulator;
  let project: Project;
  beforeAll(async () => {
    service = await startEmulator(seed, { directory, rateLimit: false });
    project = createProject();
    const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', key, '--src-dir', srcDir];
    expect((await project.luid(args)).stderr).toContain('Next:');
    project.install();
  });
  afterAll(async () => {
    await service?.close();
    project?.remove();
  });

  test('builds lists and a page per entry of each model in each language, and every link leads to a page', async () => {
    const output = await project.astro(['build']);
    expect(output).not.toMatch(/\[WARN\]|\[ERROR\]/);
    const expected = expectedPages(seed);
    const built = readdirSync(join(project.folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'index.html')
      .map((path) => dirname(path));
    expect(built.length).toBe(expected);
    const reached = new Set(['.']);
    for (const page of reached) {
      for (const [, href = ''] of project
        .read(`dist/${page}/index.html`)
        .matchAll(/<a [^>]*?href="\/([^"]*)"/g)) {
        reached.add(decodeURI(href).replace(/\/$/, '') || '.');
      }
    }
    expect([...reached].sort()).toEqual(built.sort());
  });

  test('type-checks', async () => {
    const output = await project.astro(['check', '--minimumFailingSeverity', 'warning']);
    expect(output).toContain('0 errors');
  });

  test('passes luid check', async () => {
    const { code, stdout, stderr } = await project.luid(['check', '--all', '--space', `${srcDir}/space.ts`]);
    expect(stdout, stderr).toBe('');
    expect(code).toBe(0);
  });
});
