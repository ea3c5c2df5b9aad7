import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, type Seed, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createProject, type Project } from './project.ts';
import { randomSpace } from './random-space.ts';

const sample = sampleSeed();
const SPACES: [string, Seed, string, string | undefined][] = [
  ['the sample space', sample.seed as Seed, 'published-key', sample.directory],
  // The fourth has a model called `constructor`.
  ...[3, 4].map((start): [string, Seed, string, undefined] => [
    `generated space ${start}`,
    randomSpace(start),
    'published',
    undefined,
  ]),
];

describe.each(SPACES)('the site that luid init writes for %s', (_, seed, key, directory) => {
  let service: RunningEmulator;
  let project: Project;
  beforeAll(async () => {
    service = await startEmulator(seed, { directory, rateLimit: false });
    project = createProject();
    const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', key];
    expect((await project.luid(args)).stderr).toContain('Next:');
    project.install();
  });
  afterAll(async () => {
    await service?.close();
    project?.remove();
  });

  test('builds, with a page for each entry of one model, in each of its languages', async () => {
    const said = await project.astro(['build']);
    const pages = Number(/(\d+) page\(s\) built/.exec(said)?.[1]);
    const [, model] = /CollectionEntry<'(\w+)'>/.exec(project.read('src/urls.ts')) ?? [];
    const shown = (seed.contents ?? []).filter(
      (item) => item.model === model && item.published && !item.archived,
    );
    const langs = shown.flatMap(({ published }) => Object.keys(published ?? {}));
    const isTranslated = new Set(langs).size > 1;
    const lists = isTranslated ? 1 + new Set(langs).size : 1;
    expect(pages).toBe(lists + (isTranslated ? langs.length : shown.length));
    expect(pages).toBeGreaterThan(2);
    expect(said).not.toMatch(/\[WARN\]|\[ERROR\]/);
  });

  test('type-checks', async () => {
    const said = await project.astro(['check', '--minimumFailingSeverity', 'warning']);
    expect(said).toContain('0 errors');
  });

  test('and luid check finds nothing to say against it', async () => {
    const { code, stdout, stderr } = await project.luid(['check', '--all']);
    expect(stdout, stderr).toBe('');
    expect(code).toBe(0);
  });
});
