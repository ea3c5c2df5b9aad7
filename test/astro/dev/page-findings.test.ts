import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPageFindings } from '../../../src/astro/dev/page-findings.ts';
import { serveToolbar } from '../../../src/astro/dev/toolbar.ts';
import { type FindingsMessage, MESSAGES } from '../../../src/astro/dev/toolbar-messages.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { createLintSite, type LintSite } from '../../cli/lint/lint-site.ts';

const article = (id: number, title: string) => ({
  id,
  model: 'article',
  created_at: `2026-01-0${id}T00:00:00Z`,
  published: { ja: { title, body: '<p><a href="/nai">x</a></p>' } },
});
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'published-key', reads: 'published' }],
  models: { article: { title: { type: 'text', title: true }, body: { type: 'flexible_text' } } },
  contents: [article(1, '港'), article(2, '坂')],
};

describe('the findings of the open page', () => {
  let site: LintSite;
  beforeAll(async () => {
    site = await createLintSite(
      seed,
      '{ article: { title: field.text({ title: true }), body: field.flexibleText() } }',
      '{}',
    );
    site.project.write('src/pages/index.astro', '');
  });
  afterAll(() => site.close());

  const findingsWith = (folder: string) => {
    const space = defineSpace({
      baseUrl: site.service.baseUrl,
      apiKey: 'published-key',
      languages: { main: 'ja', sub: ['en'] },
      models: { article: { title: field.text({ title: true }), body: field.flexibleText() } },
    });
    const url = (name: string) => pathToFileURL(`${folder}/${name}/`);
    const config = {
      srcDir: url('src'),
      publicDir: url('public'),
      cacheDir: url('node_modules/.astro'),
      base: '/',
      site: undefined,
      redirects: {},
    };
    return createPageFindings({ space: space as never, environment: {}, options: {}, config });
  };

  test('are sent for the entry that the page names, and for no other', async () => {
    const sent: [string, unknown][] = [];
    const heard = new Map<string, (data: unknown) => void>();
    const arrived = new Promise<FindingsMessage>((resolve) => {
      serveToolbar({
        toolbar: {
          send: (event, payload) => {
            sent.push([event, payload]);
            if (event === MESSAGES.findings) resolve(payload as FindingsMessage);
          },
          on: (event, callback) => void heard.set(event, callback as (data: unknown) => void),
        },
        space: { models: { article: {} }, settings: {} },
        editUrl: undefined,
        findings: findingsWith(site.project.folder),
        refresh: async () => {},
      });
    });
    heard.get(MESSAGES.request)?.({});
    heard.get(MESSAGES.request)?.({ entry: 'article:2' });
    expect(await arrived).toEqual({
      entry: 'article:2',
      findings: [
        {
          severity: 'error',
          text: 'body (ja): "/nai" leads to no page',
          fix: expect.stringContaining('Correct the link'),
        },
      ],
    });
    expect(sent.filter(([event]) => event === MESSAGES.findings)).toHaveLength(1);
  });

  test('are none as long as nothing is stored', async () => {
    expect(await findingsWith(`${site.project.folder}/none`)(1)).toEqual([]);
  });
});
