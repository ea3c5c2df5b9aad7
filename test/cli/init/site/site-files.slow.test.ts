import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type RunningEmulator,
  type Seed,
  sampleSeed,
  startEmulator,
} from '../../../../src/emulator/index.ts';
import { createProject, type Project } from '../../support/cli-project.ts';
import { randomSpace } from '../../support/random-space.ts';

const sample = sampleSeed();
const SPACES: [name: string, Seed, key: string, directory: string | undefined, srcDir: string][] = [
  ['the sample space', sample.seed as Seed, 'published-key', sample.directory, 'src'],
  ['generated space 3, in another srcDir', randomSpace(3), 'published', undefined, 'web/app'],
  // It has a model called `constructor`.
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

  test('builds a page per entry of one model, in each language', async () => {
    const output = await project.astro(['build']);
    const pages = Number(/(\d+) page\(s\) built/.exec(output)?.[1]);
    const [, model] = /CollectionEntry<'(\w+)'>/.exec(project.read(`${srcDir}/urls.ts`)) ?? [];
    const shown = (seed.contents ?? []).filter(
      (item) => item.model === model && item.published && !item.archived,
    );
    const langs = shown.flatMap(({ published }) => Object.keys(published ?? {}));
    const isTranslated = new Set(langs).size > 1;
    const lists = isTranslated ? 1 + new Set(langs).size : 1;
    expect(pages).toBe(lists + (isTranslated ? langs.length : shown.length));
    expect(pages).toBeGreaterThan(2);
    expect(output).not.toMatch(/\[WARN\]|\[ERROR\]/);
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
