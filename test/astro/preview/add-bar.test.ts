import { expect, test } from 'vitest';
import { addBar, previewBarHtml } from '../../../src/astro/preview/bar-html.ts';
import type { PreviewBarSettings } from '../../../src/astro/preview/preview-settings.ts';

const bar = (more: Partial<PreviewBarSettings> = {}): PreviewBarSettings => ({
  script: '/_luid/preview-bar.js',
  style: '/_luid/preview-bar.css',
  events: '/_luid/preview-events',
  exit: '/_luid/preview-exit',
  page: '/articles/港?a=1&b=2',
  prefix: '/_luid/preview',
  editUrl: 'https://cms.test/{model}/{id}',
  ...more,
});
const entry = { data: { _model: 'article', _id: 301, _status: 'published_draft' } };
const htmlOf = (response: Response) => response.text();
const page = (html: string, headers: Record<string, string> = {}) =>
  new Response(html, {
    status: 404,
    headers: { 'content-type': 'text/html', 'content-length': '9', ...headers },
  });

test('the bar names what is shown, and leads to where it is edited and to the page outside of the preview', () => {
  const html = previewBarHtml(bar({ entry }));
  expect(html).toContain('href="https://cms.test/article/301"');
  expect(html).toContain(`href="/_luid/preview-exit?to=${encodeURIComponent('/articles/港?a=1&b=2')}"`);
  expect(html).toContain('data-prefix="/_luid/preview"');
});

test('leaving the preview of what was never published leads to the home page, since it has no page', () => {
  const html = previewBarHtml(bar(), { data: { ...entry.data, _status: 'draft' } });
  expect(html).toContain('href="/_luid/preview-exit"');
});

test('the words of a site are text', () => {
  const html = previewBarHtml(bar(), undefined, { title: '<b>"下書き"</b>', exit: '終了 & 戻る' });
  expect(html).toContain('aria-label="&lt;b&gt;&quot;下書き&quot;&lt;/b&gt;"');
  expect(html).toContain('>終了 &amp; 戻る</a>');
  expect(html).not.toContain('cms.test');
});

test('a page without the bar gets it at the start of its body', async () => {
  const before = '<!doctype html><html><head><title><body></title></head><!-- <body> --><body class="a">';
  const response = await addBar(page(`${before}<h1>x</h1></body></html>`), bar({ entry }));
  expect(response.status).toBe(404);
  expect(response.headers.get('content-length')).toBeNull();
  expect(await htmlOf(response)).toBe(`${before}${previewBarHtml(bar({ entry }))}<h1>x</h1></body></html>`);
});

test('a page without a body element gets it after its doctype', async () => {
  expect(await htmlOf(await addBar(page('<!DOCTYPE html><h1>x</h1>'), bar()))).toBe(
    `<!DOCTYPE html>${previewBarHtml(bar())}<h1>x</h1>`,
  );
});

test.each([
  ['a part of a page', page('<li>x</li>'), '<li>x</li>'],
  ['what is not HTML', page('{"a":"<body>"}', { 'content-type': 'application/json' }), '{"a":"<body>"}'],
  ['a compressed response', page('<body>', { 'content-encoding': 'gzip' }), '<body>'],
])('%s stays as it is', async (_name, response, html) => {
  expect(await htmlOf(await addBar(response, bar()))).toBe(html);
});

test('a page that has rendered the bar does not get another one', async () => {
  const settings = bar();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('<body>'));
      // A component that is rendered late.
      settings.isRendered = true;
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/html' } });
  expect(await htmlOf(await addBar(response, settings))).toBe('<body>');
});
