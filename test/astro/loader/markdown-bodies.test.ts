import type { LoaderContext } from 'astro/loaders';
import { describe, expect, test } from 'vitest';
// As Astro does it, which exports neither.
import { parseFrontmatter } from '../../../node_modules/@astrojs/internal-helpers/dist/frontmatter.js';
import { field } from '../../../src/index.ts';
import { renderMarkdown as renderWithoutFrontmatter } from '../../security/loader-context.ts';
import { openTestSite } from './test-site.ts';

const MODELS = {
  article: { title: field.text({ title: true }), body: field.flexibleText({ format: 'markdown' }) },
};

const renderMarkdown = async (markdown: string) =>
  renderWithoutFrontmatter(parseFrontmatter(markdown).content);

/** Builds a site with two articles, of which the service sends the first with this body. */
async function build(body: string, options: { readonly space?: object; readonly context?: object } = {}) {
  const site = openTestSite(MODELS, [
    { id: 11, model: 'article', title: 'Tea', body: '<p>Tea</p>' },
    { id: 12, model: 'article', title: 'Train', body: '<p>Train</p>' },
  ]);
  const fetchWithBody: typeof fetch = async (...request) => {
    const response = await site.service.fetch(...request);
    const json = (await response.json()) as { data?: Record<string, unknown>[] };
    for (const item of json.data ?? []) if (item._id === 11 && 'body' in item) item.body = body;
    return new Response(JSON.stringify(json), { status: response.status, headers: response.headers });
  };
  const lines = await site.build(
    { articles: { model: 'article', body: 'body' } },
    {
      space: { fetch: fetchWithBody, ...options.space },
      context: { renderMarkdown, ...options.context } as Partial<LoaderContext>,
    },
  );
  const entries = site.entries('articles') as Record<string, { body?: string; rendered?: { html: string } }>;
  return { lines, entries, html: entries['11']?.rendered?.html };
}

describe('Markdown that begins like frontmatter is rendered whole', () => {
  const NOTICE = '<hr>\n<p>Important: notice</p>\n<hr>\n<p>Text</p>';
  const PLUS = '<p>+++\nwow\n+++\nText</p>';
  test.each([
    ['---\n\nImportant: notice\n\n---\n\nText', NOTICE],
    ['---\r\n\r\nImportant: notice\r\n\r\n---\r\n\r\nText', NOTICE],
    ['\n \n---\n\nImportant: notice\n\n---\n\nText', NOTICE],
    ['\uFEFF---\n\nImportant: notice\n\n---\n\nText', NOTICE],
    ['---\n\nMon: 9: 17\n\n---', '<hr>\n<p>Mon: 9: 17</p>\n<hr>'],
    ['+++\nwow\n+++\nText', PLUS],
    ['\n\n+++\nwow\n+++\nText', PLUS],
    ['---', '<hr>'],
    ['--- | ---\n--- | ---\n1 | 2', expect.stringContaining('<table>')],
    ['Text\n\n---\n\nMore', '<p>Text</p>\n<hr>\n<p>More</p>'],
  ])('%j', async (body, html) => {
    const result = await build(body);
    const trimmed = result.html?.replaceAll('\uFEFF', '').trim();
    expect(trimmed).toEqual(html);
    expect(result.entries['11']?.body).toBe(body);
  });
});

describe('Markdown that Astro cannot render', () => {
  const context = {
    renderMarkdown: async (markdown: string) => {
      if (markdown.includes('broken')) throw new Error('no such plugin');
      return renderMarkdown(markdown);
    },
  };

  test('is an error that names the item', async () => {
    const { lines, entries } = await build('broken', { context });
    expect(lines.join('\n')).toMatch(/article\.body.*\n.*11.*cannot be rendered as Markdown: no such plugin/);
    expect(entries).toEqual({});
  });

  test("is skipped with onInvalid: 'skip'", async () => {
    const { lines, entries } = await build('broken', { context, space: { onInvalid: 'skip' } });
    expect(lines.join('\n')).toContain('1 entry is skipped');
    expect(Object.keys(entries)).toEqual(['12']);
  });

  test("is an error although onInvalid is 'skip', if no Markdown can be rendered", async () => {
    const fails = { renderMarkdown: () => Promise.reject(new Error('no such plugin')) };
    const { lines, entries } = await build('fine', { context: fails, space: { onInvalid: 'skip' } });
    expect(lines.join('\n')).toContain('Error: no such plugin');
    expect(lines.join('\n')).not.toContain('skipped');
    expect(entries).toEqual({});
  });
});
