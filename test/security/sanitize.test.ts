import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { findActiveContent } from './active-content.ts';
import { contentOf, createLoaderContext, renderMarkdown, type StoredEntry } from './loader-context.ts';
import { type AnyContent, connectionTo, serveItems } from './stub-service.ts';
import { HTML_PAYLOADS, MARKDOWN_PAYLOADS } from './xss-payloads.ts';

const MODELS = {
  thing: {
    html: field.flexibleText({ sanitize: true }),
    portable: field.flexibleText({ format: 'portable_html', sanitize: true }),
    markdown: field.flexibleText({ format: 'markdown', sanitize: true }),
    raw: field.flexibleText(),
    other: field.reference('thing'),
    list: field.repeat({ text: field.flexibleText({ sanitize: true }), other: field.reference('thing') }),
    blocks: field.combination({ quote: { text: field.flexibleText({ sanitize: true }) } }),
    set: field.fieldSet({ text: field.flexibleText({ sanitize: true, images: true }) }),
  },
} as const;

const spaceOf = (items: readonly AnyContent[]) =>
  defineSpace({ ...connectionTo(serveItems(items)), assetsUrl: 'https://assets.example', models: MODELS });

/** The stored entries of these items. */
async function loadEntries(
  items: readonly AnyContent[],
  body: 'html' | 'markdown' | 'portable',
  depth: 0 | 1 | 2 = 0,
) {
  const { context, entries } = createLoaderContext();
  await spaceOf(items).loader('thing', { body, depth }).load(context);
  return entries();
}

const texts = (entry: StoredEntry | undefined, luid: string) => [
  String(entry?.data[luid]),
  entry?.body ?? 'no body',
  entry?.rendered?.html ?? 'not rendered',
];

describe('all known XSS payloads are removed', () => {
  test.each(['html', 'portable'] as const)('in %s and its rendered form', async (luid) => {
    const entries = await loadEntries(
      HTML_PAYLOADS.map((html, index) => contentOf(index + 1, 'thing', { [luid]: html })),
      luid,
    );
    expect(entries).toHaveLength(HTML_PAYLOADS.length);
    for (const [index, entry] of entries.entries()) {
      for (const text of texts(entry, luid)) {
        const active = findActiveContent(text).filter((one) => luid === 'html' || !one.startsWith('data-'));
        expect({ payload: HTML_PAYLOADS[index], text, active }).toMatchObject({ active: [] });
      }
    }
  });

  test('in Markdown, with every renderer', async () => {
    const payloads = [...MARKDOWN_PAYLOADS, ...HTML_PAYLOADS];
    const entries = await loadEntries(
      payloads.map((markdown, index) => contentOf(index + 1, 'thing', { markdown })),
      'markdown',
    );
    expect(entries).toHaveLength(payloads.length);
    for (const [index, entry] of entries.entries()) {
      const [data = '', , rendered = ''] = texts(entry, 'markdown');
      const readings = [
        rendered,
        (await renderMarkdown(data)).html,
        marked.parse(data) as string,
        marked.parse(data, { gfm: false }) as string,
      ];
      for (const html of readings) {
        expect({ payload: payloads[index], data, html, active: findActiveContent(html) }).toMatchObject({
          active: [],
        });
      }
    }
  });

  test('in entries of a live loader', async () => {
    const items = HTML_PAYLOADS.slice(0, 100).map((html, index) => contentOf(index + 1, 'thing', { html }));
    const live = spaceOf(items).liveLoader('thing', { from: 'service', body: 'html' });
    const list = await live.loadCollection({ collection: 'things' });
    expect('entries' in list && list.entries).toHaveLength(100);
    for (const entry of ('entries' in list && list.entries) || []) {
      const found = [entry.data.html, entry.rendered?.html ?? '<script>'].flatMap(findActiveContent);
      expect(found).toEqual([]);
    }
    const one = await live.loadEntry({ filter: { id: '11' }, collection: 'things' });
    expect(one).toMatchObject({ data: { html: '<img src="x">' }, rendered: { html: '<img src="x">' } });
  });
});

const KEPT = [
  '<h2 id="user-content-top">Title</h2>',
  '<p style="text-align:center; color: #f00">a <strong>b</strong> <em>c</em> <u>d</u> <sub>1</sub><br>e</p>',
  '<p lang="ja" dir="ltr">市場 &amp; 茶 &lt;3&nbsp;x</p>',
  '<a href="https://x.example/?a=1&amp;b=2#c" target="_blank" rel="noopener">web</a>',
  '<a href="/about">here</a><a href="#user-content-top">top</a><a href="#">up</a><a href="mailto:a@x.example">mail</a><a href="tel:+81">call</a>',
  '<ul><li>a<ol start="3"><li>b</li></ol></li></ul><dl><dt>a</dt><dd>b</dd></dl>',
  '<table><caption>c</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
  '<blockquote cite="https://x.example">a</blockquote><pre><code class="language-js">a &lt; b\n\n  c</code></pre><hr>',
  '<figure><img src="https://assets.example/1/a.jpg" alt="a" width="10" height="20"><figcaption>b</figcaption></figure>',
  '<picture><source srcset="https://assets.example/a.webp 1x, /b.webp 2x" type="image/webp"><img src="a.jpg" alt=""></picture>',
  '<video src="https://assets.example/a.mp4" controls="" poster="/p.jpg"></video><details open=""><summary>a</summary>b</details>',
  '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby><time datetime="2026-01-01">today</time>',
];

test('allowed content is unchanged, character by character', async () => {
  const [entry] = await loadEntries([contentOf(1, 'thing', { html: KEPT.join('') })], 'html');
  expect(entry?.data.html).toBe(KEPT.join(''));
});

test('an id cannot replace a global variable, and references to it still work', async () => {
  const html =
    '<p id="config">a</p><a href="#config">b</a><table><tbody><tr><th id="t">c</th><td headers="t  config">d</td></tr></tbody></table>' +
    '<b aria-labelledby="config t" aria-describedby="">e</b><h2>Setup</h2><i id="">f</i>';
  const [entry] = await loadEntries([contentOf(1, 'thing', { html })], 'html');
  expect(entry?.data.html).toBe(
    '<p id="user-content-config">a</p><a href="#user-content-config">b</a><table><tbody><tr><th id="user-content-t">c</th>' +
      '<td headers="user-content-t user-content-config">d</td></tr></tbody></table>' +
      '<b aria-labelledby="user-content-config user-content-t" aria-describedby="">e</b><h2>Setup</h2><i id="">f</i>',
  );
  expect(entry?.rendered).toMatchObject({
    html: expect.stringContaining('<h2 id="user-content-setup">Setup</h2>'),
    metadata: { headings: [{ slug: 'user-content-setup', text: 'Setup' }] },
  });
});

test('headings of Markdown have the ids in the list of headings', async () => {
  const markdown = '# Config\n\n## <b id="x">Two</b>\n\n[up](#config)';
  const [entry] = await loadEntries([contentOf(1, 'thing', { markdown })], 'markdown');
  expect(entry?.rendered).toMatchObject({
    metadata: { headings: [{ slug: 'user-content-config' }, { slug: 'user-content-two' }] },
  });
  const html = entry?.rendered?.html ?? '';
  for (const part of [
    '<h1 id="user-content-config">',
    '<h2 id="user-content-two">',
    'href="#user-content-config"',
  ])
    expect(html).toContain(part);
});

test('classes are removed, except those of code and those that the field allows', async () => {
  const html =
    '<p class="fixed inset-0 z-50 note note-info">a</p><pre><code class="language-js x">b</code></pre><i class="">c</i>';
  const [plain] = await loadEntries([contentOf(1, 'thing', { html })], 'html');
  expect(plain?.data.html).toBe('<p>a</p><pre><code class="language-js">b</code></pre><i class="">c</i>');

  const models = {
    thing: { html: field.flexibleText({ sanitize: { classes: ['note', 'note-*'] } }) },
  };
  const space = defineSpace({ ...connectionTo(serveItems([contentOf(1, 'thing', { html })])), models });
  const { context, entries } = createLoaderContext();
  await space.loader('thing').load(context);
  expect(entries()[0]?.data.html).toBe(
    '<p class="note note-info">a</p><pre><code class="language-js">b</code></pre><i class="">c</i>',
  );
});

test('classes in the HTML of Markdown are removed in the same way', async () => {
  const markdown = 'a <b class="fixed note">b</b>\n\n<div class="fixed note">c</div>';
  const space = defineSpace({
    ...connectionTo(serveItems([contentOf(1, 'thing', { markdown })])),
    models: {
      thing: { markdown: field.flexibleText({ format: 'markdown', sanitize: { classes: ['note'] } }) },
    },
  });
  const { context, entries } = createLoaderContext();
  await space.loader('thing', { body: 'markdown' }).load(context);
  expect(entries()[0]?.data.markdown).not.toContain('fixed');
  expect(entries()[0]?.rendered?.html).toContain('<div class="note">c</div>');
  expect(entries()[0]?.rendered?.html).toContain('<b class="note">b</b>');
});

test.each([
  [{ classes: 'note' }, 'must be a list of class names'],
  [{ classes: ['a b'] }, 'must be a list of class names'],
  [{ ids: [] }, "has the unknown option 'ids'"],
])('%j as options of sanitize is rejected', (sanitize, message) => {
  const models = { thing: { html: field.flexibleText({ sanitize: sanitize as never }) } };
  expect(() => defineSpace({ models })).toThrow(message);
});

test('the text of removed elements is kept, except of scripts and styles', async () => {
  const html =
    '<x-a>a</x-a><form>b</form><script>c</script><style>d</style><svg><text>e</text></svg><a href="javascript:f">g</a>';
  const [entry] = await loadEntries([contentOf(1, 'thing', { html })], 'html');
  expect(entry?.data.html).toBe('ab<a>g</a>');
});

test('portable HTML keeps the attributes that are needed to write it back; HTML does not', async () => {
  const html = '<div data-service-ftelm="card" onclick="x">a</div>';
  const [entry] = await loadEntries([contentOf(1, 'thing', { html, portable: html })], 'html');
  expect(entry?.data).toMatchObject({
    html: '<div>a</div>',
    portable: '<div data-service-ftelm="card">a</div>',
  });
});

test('Markdown without tags and unsafe links is unchanged, byte for byte', async () => {
  const markdown =
    '# a\n\n* b\n+ c\n\n[d](https://x.example) [e](/f "g") ![h](i.png)\n\n    code & more\n\n[j]: k';
  const [entry] = await loadEntries([contentOf(1, 'thing', { markdown })], 'markdown');
  expect(entry?.data.markdown).toBe(markdown);
});

test('Markdown keeps harmless tags, tables and code with its colours', async () => {
  const code = '```js\nconst a = "<script>";\n```';
  const markdown = `a<sup class="x" onclick="y">2</sup>\n\n<table><tr><td>b*c</td></tr></table>\n\n${code}\n`;
  const [entry] = await loadEntries([contentOf(1, 'thing', { markdown })], 'markdown');
  const html = entry?.rendered?.html ?? '';
  expect(html).toContain('a<sup>2</sup>');
  expect(html).toContain('<td>b*c</td>');
  expect(html).toMatch(/<pre class="astro-code[^>]*style="background-color:#[^>]*>/);
  expect(html).toMatch(/<span style="color:#\w+">/);
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain('const a = &quot;&lt;script&gt;&quot;;');
});

test('HTML from the site’s own Markdown plugins is sanitized, too', async () => {
  const { context, entries } = createLoaderContext();
  const renderMarkdown = async () => ({ html: '<p onclick="x">a</p><script>b</script>' });
  await spaceOf([contentOf(1, 'thing', { markdown: 'a' })])
    .loader('thing', { body: 'markdown' })
    .load({ ...context, renderMarkdown } as typeof context);
  expect(entries()[0]?.rendered?.html).toBe('<p>a</p>');
});

describe('fields are sanitized', () => {
  const bad = '<p onclick="x">a</p>';
  const fields = {
    html: bad,
    raw: bad,
    list: [{ text: bad, other: 2 }],
    blocks: [{ luid: 'quote', fields: { text: bad } }],
    set: { text: bad },
    other: 2,
  };
  const clean = {
    html: '<p>a</p>',
    raw: bad,
    list: [{ text: '<p>a</p>' }],
    blocks: [{ luid: 'quote', fields: { text: '<p>a</p>' } }],
    set: { text: '<p>a</p>' },
  };

  test('in groups, and in embedded content at any depth', async () => {
    const items = [contentOf(1, 'thing', fields), contentOf(2, 'thing', { ...fields, other: 1 })];
    const [entry] = await loadEntries(items, 'html', 2);
    expect(entry?.data).toMatchObject({
      ...clean,
      list: [{ text: '<p>a</p>', other: clean }],
      other: { ...clean, other: clean },
    });
  });

  test('in content that the service embeds for a live loader', async () => {
    const flat = { ...fields, list: [{ text: bad, other: null }] };
    const inner = contentOf(2, 'thing', { ...flat, other: contentOf(3, 'thing', { ...flat, other: 4 }) });
    const items = [contentOf(1, 'thing', { ...fields, other: inner, list: [{ text: bad, other: inner }] })];
    const live = spaceOf(items).liveLoader('thing', { from: 'service', depth: 2 });
    const entry = await live.loadEntry({ filter: { id: '1' }, collection: 'things' });
    expect(entry).toMatchObject({
      data: { ...clean, list: [{ other: clean }], other: { ...clean, other: clean } },
    });
  });

  test('before images are made responsive', async () => {
    const text = '<img src="https://assets.example/1/a.jpg" alt="b" onload="x">';
    const [entry] = await loadEntries([contentOf(1, 'thing', { set: { text } })], 'html');
    expect(entry?.data.set).toMatchObject({ text: expect.stringMatching(/^<img[^>]* loading="lazy"/) });
    expect(findActiveContent(JSON.stringify(entry?.data.set))).toEqual([]);
  });
});

test('a store that was filled without `sanitize` is updated once, and only changed entries after that', async () => {
  const items = [1, 2].map((id) => contentOf(id, 'thing', { html: '<b onclick="x">a</b>' }));
  const connection = connectionTo(serveItems(items));
  const { context, entries } = createLoaderContext();
  const load = (sanitize: boolean) =>
    defineSpace({ ...connection, models: { thing: { html: field.flexibleText({ sanitize }) } } })
      .loader('thing')
      .load(context);
  await load(false);
  expect(entries().map(({ data }) => data.html)).toEqual(Array(2).fill('<b onclick="x">a</b>'));
  await load(true);
  const before = entries();
  expect(before.map(({ data }) => data.html)).toEqual(['<b>a</b>', '<b>a</b>']);
  items[1] = contentOf(2, 'thing', { html: '<i onclick="x">a</i>' });
  await load(true);
  expect(entries().map(({ data }) => data.html)).toEqual(['<b>a</b>', '<i>a</i>']);
  expect(entries().map((entry, index) => entry === before[index])).toEqual([true, false]);
});

test.each([
  [{ sanitize: true, format: 'text' } as const, 'cannot be used with the format text'],
  [{ sanitize: 'yes' as never }, 'must be true, false or options'],
])('%j is rejected', (options, message) => {
  expect(() => defineSpace({ models: { a: { b: field.flexibleText(options) } } })).toThrow(message);
});
