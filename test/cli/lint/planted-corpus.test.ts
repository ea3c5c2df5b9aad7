import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintCommand } from '../../../src/cli/lint/lint-command.ts';
import type { LintReport } from '../../../src/cli/lint/lint-report.ts';
import { openFactCache } from '../../../src/images/assets/fact-cache.ts';
import type { ImageInfo } from '../../../src/images/dimensions/known-dimensions.ts';
import { openStorage } from '../../../src/replica/store/storage.ts';
import { runCommand } from '../support/run-in-process.ts';
import { createLintSite, type LintSite } from './lint-site.ts';
import { MODELS, plantedCorpus } from './planted-corpus.ts';

describe('a magazine of 2,000 items with 100 planted mistakes', () => {
  const { seed, planted } = plantedCorpus();
  let site: LintSite;
  let report: LintReport;
  beforeAll(async () => {
    site = await createLintSite(
      seed,
      MODELS,
      "{ redirects: { route: '/articles/[id]' }, editUrl: 'https://cms.example/{model}/{id}' }",
    );
    for (const page of [
      'index',
      'about',
      'articles/[id]',
      'en/articles/[id]',
      'categories/[id]',
      'authors/[id]',
    ]) {
      site.project.write(`src/pages/${page}.astro`, '');
    }
    site.project.write('public/files/map.pdf', '');
    // What a build with `dimensions` stores.
    const facts = openFactCache<ImageInfo>(openStorage({}, site.cacheDir), 'published-key', 'sizes-v4');
    const size = (width: number) => ({ width, height: 10, format: 'jpg' });
    await facts.add(
      new Map([
        [`${site.service.assetsUrl}/902/c.jpg`, size(4000)],
        [`${site.service.assetsUrl}/900/a.jpg`, size(2560)],
      ]),
    );
    site.service.clearLog();
    const { stdout, stderr } = await runCommand('lint', lintCommand, [
      '--json',
      '--dir',
      site.project.folder,
    ]);
    if (!stdout) throw new Error(stderr);
    report = JSON.parse(stdout);
  });
  afterAll(() => site.close());

  test('at least 95 are found, and at most 5 others', () => {
    expect(planted).toHaveLength(100);
    expect(seed.contents).toHaveLength(2001);
    const found = new Set(report.findings.map(({ rule, id }) => `${rule} ${id}`));
    const wanted = new Set(planted.map(([rule, id]) => `${rule} ${id}`));
    const missed = [...wanted].filter((one) => !found.has(one));
    const others = report.findings.filter(({ rule, id }) => !wanted.has(`${rule} ${id}`));
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(5);
    expect(
      others.length,
      others
        .slice(0, 30)
        .map((one) => JSON.stringify(one))
        .join('\n'),
    ).toBeLessThanOrEqual(5);
    expect(report.findings.length).toBeLessThanOrEqual(110);
  });

  test('each finding says what, where and what to do, and nothing was requested', () => {
    for (const { model, id, title, message, fix, url } of report.findings) {
      expect([model, title, message, fix].every((text) => text !== '')).toBe(true);
      expect(url).toBe(`https://cms.example/${model}/${id}`);
    }
    expect(site.service.log).toEqual([]);
    expect(report).toMatchObject({ ok: false, items: 2000 });
  });

  test('no report contains a secret that it has found', () => {
    expect(JSON.stringify(report)).not.toMatch(/ABCDEFGHIJKLMNOP|tanuki2026|a1B2a1B2/);
  });
});
