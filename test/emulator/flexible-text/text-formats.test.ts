import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapTags } from '../../../src/emulator/flexible-text/map-tags.ts';
import {
  stripPortableAttributes,
  toPortableHtml,
} from '../../../src/emulator/flexible-text/portable-html.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/models/field.ts';
import { startCpuTimer } from '../../support/cpu-time.ts';
import { readItem, SPACE } from '../small-seed.ts';

const models = {
  page: {
    body: field.flexibleText(),
    set: field.fieldSet({ text: field.flexibleText() }),
    list: field.repeat({ text: field.flexibleText() }),
    parts: field.combination({
      prose: { text: field.flexibleText() },
      quote: { text: field.flexibleText(), prose: field.flexibleText() },
    }),
    other: field.reference('page'),
  },
};

function space(...pages: object[]) {
  const contents = pages.map((fields, index) => ({
    id: index + 1,
    model: 'page',
    created_at: '2026-01-01T00:00:00Z',
    published: { ja: fields },
  }));
  return createEmulator({ ...SPACE, models, media: [], contents }, { rateLimit: false });
}

/** One text, as it is read in a format. */
async function read(html: string, format: string): Promise<string> {
  return (await readItem(space({ body: html }), 1, `body[format]=${format}`)).body as string;
}

describe('text', () => {
  it.each([
    ['<h2>Head &amp; tail</h2><p>One<br>two</p>', 'Head & tail\n\nOne\ntwo'],
    ['<p>A <a href="https://example.com">link</a> and <img src="a.png" alt="x"> end</p>', 'A link and end'],
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['<ol><li>one</li><li>two</li></ol>', '1. one\n 2. two'],
    [`<p>${'long '.repeat(50).trim()}</p>`, 'long '.repeat(50).trim()],
    ['<table><tr><th>a</th><td>b</td></tr></table>', 'a   b'],
    ['<script>alert(1)</script><style>p {}</style><p>seen</p>', 'seen'],
    ['plain', 'plain'],
  ])('%s', async (html, text) => {
    expect((await read(html, 'text')).trim()).toBe(text);
  });
});

describe('markdown', () => {
  it.each([
    ['<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
    ['<ul><li>one</li><li>two</li></ul>', '-   one\n-   two'],
    ['<pre><code class="language-js">a &lt; b\n</code></pre>', '```js\na < b\n```'],
    ['<p data-service-ftelm="paragraph">a <em>b</em></p>', 'a _b_'],
    ['<p>1. no list</p>', '1\\. no list'],
  ])('%s', async (html, markdown) => {
    expect(await read(html, 'markdown')).toBe(markdown);
  });

  it('a table stays HTML', async () => {
    expect(
      await read(
        '<p>a</p><table data-service-ftelm="table"><tbody><tr><td>b</td></tr></tbody></table>',
        'markdown',
      ),
    ).toBe('a\n\n<table><tbody><tr><td>b</td></tr></tbody></table>');
  });
});

describe('markdown of very much white space', () => {
  const SPACES = 200_000;
  it.each([
    ['in a row', `<p><b>a</b>${'&nbsp;'.repeat(SPACES)}b</p>`, `a${'\u00a0'.repeat(SPACES)}b`],
    ['of line breaks', `<p>a${'<br>'.repeat(SPACES)}b</p>`, `a${'\n'.repeat(SPACES)}b`],
    ['at the start', `<p>${'<br>'.repeat(SPACES)}<b>b</b></p>`, 'b'],
    ['in an attribute', `<p>a<img src="a.png" alt="${'&#160;'.repeat(SPACES)}x">b</p>`, 'ab'],
  ])('%s: only the tags are removed, in linear time', async (_where, html, text) => {
    const cpuSeconds = startCpuTimer();
    expect((await read(html, 'markdown')) === text).toBe(true);
    expect(cpuSeconds()).toBeLessThan(20);
  });

  it('up to 1,000 characters is converted', async () => {
    const spaces = '\u00a0'.repeat(1_000);
    expect(await read(`<p><b>a</b>${spaces}b</p>`, 'markdown')).toBe(`**a**${spaces}b`);
  });
});

describe('portable_html', () => {
  it.each([
    ['<p>a</p>', '<p data-service-ftelm="paragraph">a</p>'],
    ['<H2 class=x>a</H2>', '<H2 data-service-ftelm="heading" class=x>a</H2>'],
    [
      '<ul><li>a<li>b</ul><p>c',
      '<ul data-service-ftelm="list"><li>a<li>b</ul><p data-service-ftelm="paragraph">c',
    ],
    [
      '<hr/><img src="a>b.png">',
      '<hr data-service-ftelm="rule"/><img data-service-ftelm="image" src="a>b.png">',
    ],
    [
      '<div data-service-ftelm="x" data-service-id=7>a</div>',
      '<div data-service-ftelm="x" data-service-id=7>a</div>',
    ],
    ['<!-- <p> --><my-card></my-card>', '<!-- <p> --><my-card data-service-ftelm="element"></my-card>'],
    ['<script>"<p>"</script>text', '<script data-service-ftelm="element">"<p>"</script>text'],
    ['a < b <3 </> <p', 'a < b <3 </> <p'],
  ])('%s', (html, marked) => {
    expect(toPortableHtml(html)).toBe(marked);
    expect(toPortableHtml(marked)).toBe(marked);
  });

  it.each([
    ['<p data-service-ftelm="paragraph">a</p>', '<p>a</p>'],
    [`<p class="a" DATA-SERVICE-X='1 > 2' id=b data-service-y>a</p>`, '<p class="a" id=b>a</p>'],
    ['<img data-service-ftelm=image/>', '<img>'],
    [
      '<p title="data-service-x=1">data-service-y="2"</p>',
      '<p title="data-service-x=1">data-service-y="2"</p>',
    ],
    ['<p\n  data-service-a\n  =\n  "1"\n>a</p>', '<p\n>a</p>'],
  ])('html has no marks: %s', (marked, html) => {
    expect(stripPortableAttributes(marked)).toBe(html);
  });

  const piece = fc.oneof(
    fc.constantFrom('<p>', '</p>', '<ul>', '</ul>', '<br/>', '<!--', '-->', '<', '>', '"', "'", '=', '/'),
    fc.constantFrom('<p class="a>b">', "<i data-service-x='1'>", '</i>', '<script>', '</script>', ' ', 'x'),
  );
  const anything = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('for any HTML, converting twice equals converting once, and stripping restores plain HTML', () => {
    fc.assert(
      fc.property(anything, (html) => {
        expect(mapTags(html, ({ text }) => text)).toBe(html);
        expect(toPortableHtml(toPortableHtml(html))).toBe(toPortableHtml(html));
        const plain = stripPortableAttributes(html);
        expect(stripPortableAttributes(plain)).toBe(plain);
        expect(stripPortableAttributes(toPortableHtml(plain))).toBe(plain);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('everywhere', () => {
  const rich = '<p><strong>deep</strong></p>';

  it('a path leads into groups, blocks and embedded content', async () => {
    const page = {
      set: { text: rich },
      list: [{ text: rich }],
      parts: [
        { luid: 'prose', fields: { text: rich } },
        { luid: 'quote', fields: { text: rich, prose: rich } },
      ],
    };
    const emulator = space(page, { other: 1 });
    const paths = ['set.text', 'list.text', 'parts.text'];
    const query = (prefix: string) => paths.map((path) => `${prefix}${path}[format]=markdown`).join('&');
    const expected = {
      set: { text: '**deep**' },
      list: [{ text: '**deep**' }],
      parts: [{ fields: { text: '**deep**' } }, { fields: { text: '**deep**', prose: rich } }],
    };
    expect(await readItem(emulator, 1, query(''))).toMatchObject(expected);
    expect(await readItem(emulator, 2, query('other.'))).toMatchObject({ other: expected });
    expect(await readItem(emulator, 2, query(''))).toMatchObject({ other: { set: { text: rich } } });
  });

  it('in a combination a path with the field set takes precedence', async () => {
    const text = (luid: string) => ({ luid, fields: { text: rich } });
    const emulator = space({ parts: [text('prose'), text('quote')] });
    const texts = async (query: string) =>
      (await readItem(emulator, 1, query)).parts.map(
        (part: { fields: { text: string } }) => part.fields.text,
      );
    expect(await texts('parts.quote.text[format]=text')).toEqual([rich, 'deep']);
    expect(await texts('parts.text[format]=text&parts.quote.text[format]=markdown')).toEqual([
      'deep',
      '**deep**',
    ]);
    expect(await readItem(emulator, 1, 'parts.nope.text[format]=text')).toMatchObject({ status: '400' });
  });

  it('the html is the stored HTML without portable attributes', async () => {
    const html = '<p data-service-ftelm="paragraph" class="a">x</p>\r\n<!-- y -->';
    expect(await read(html, 'html')).toBe('<p class="a">x</p>\r\n<!-- y -->');
    expect(await read(html, 'portable_html')).toBe(html);
  });

  it.each(['html', 'text', 'markdown', 'portable_html'])(
    'HTML that is nested absurdly deep is answered as %s',
    async (format) => {
      const deep = `${'<div>'.repeat(20_000)}text`;
      expect(await read(deep, format)).toContain('text');
    },
  );

  it('HTML of open tags only is searched quickly', async () => {
    const emulator = space({ body: `<p>first</p>${'<'.repeat(1_000_000)}` });
    const response = await emulator.fetch(`${emulator.baseUrl}/contents?body[contains]=first&select=_id`, {
      headers: { 'X-SERVICE-API-KEY': 'pub' },
    });
    expect(await response.json()).toMatchObject({ total: 1 });
  });

  it('markdown that is nested very deeply is rejected', async () => {
    const emulator = space();
    const response = await emulator.fetch(`${emulator.baseUrl}/contents?model=page&ft_format=markdown`, {
      method: 'POST',
      headers: { 'X-SERVICE-API-KEY': 'all' },
      body: JSON.stringify({ fields: { body: '>'.repeat(20_000) } }),
    });
    expect(await response.json()).toMatchObject({ status: '400', code: 'BadRequest' });
  });
});

describe('{assets_url} in a text', () => {
  it.each(['html', 'portable_html', 'markdown'])('is the address of the files, in %s', async (format) => {
    const emulator = space({ body: '<p><img src="{assets_url}/902/a.jpg" alt="x"></p>' });
    const { body } = await readItem(emulator, 1, `body[format]=${format}`);
    expect(body).toContain(`${emulator.assetsUrl}/902/a.jpg`);
  });

  it('is stored unchanged', () => {
    const body = '<p><img src="{assets_url}/902/a.jpg"></p>';
    expect(space({ body }).snapshot().contents?.[0]?.published).toEqual({ ja: { body } });
  });
});
