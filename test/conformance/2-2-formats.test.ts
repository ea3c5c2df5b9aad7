import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { seed } from './conformance-seed.ts';
import { type Item, startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const RICH = [
  '<h2>Head &amp; tail</h2>',
  '<p>A <strong>bold</strong>, <em>slanted</em> <a href="https://example.com/?a=1&amp;b=2">link</a>.</p>',
  '<ul><li>one</li><li>two</li></ul>',
  '<ol><li>first</li><li>second</li></ol>',
  '<blockquote><p>quoted</p></blockquote>',
  '<pre><code>const a = 1 &lt; 2;</code></pre>',
  '<p><img src="https://example.com/a.png" alt="a picture"></p>',
].join('');

const server = startServer({ rateLimit: false });
const { list, readItem } = server;
const { create } = createWriter(server);

/** A flexible text that was written as portable_html, as it is read in a format. */
async function read(html: string, format: string): Promise<string> {
  const id = await create('author', { fields: { bio: html } });
  return (await readItem(id, format ? `bio[format]=${format}` : '', 'all')).bio as string;
}

describe('html', () => {
  it('§2.2 html is returned as it was written', async () => {
    expect(await read(RICH, 'html')).toBe(RICH);
    expect(await read(RICH, '')).toBe(RICH);
  });

  it('§2.2 html has no attributes of portable_html', async () => {
    const html = '<p data-service-ftelm="paragraph" class="x">a</p><div data-service-ftelm="addon">b</div>';
    expect(await read(html, 'html')).toBe('<p class="x">a</p><div>b</div>');
  });

  it('§2.2 html keeps text that looks like such an attribute', async () => {
    const html = '<p>say data-service-ftelm="x"</p><p title="a > data-service-ftelm=1">b</p>';
    expect(await read(html, 'html')).toBe(html);
  });
});

describe('text', () => {
  it('§2.2 text has no tags and no entities, line for line', async () => {
    const text = await read(RICH, 'text');
    expect(text).not.toMatch(/<\/?[a-z]|&[a-z]+;/);
    for (const part of ['A bold, slanted link', 'one', 'two', 'first', 'quoted', 'const a = 1 < 2;']) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/head & tail\n/i);
    expect(text).toMatch(/one\n.*two/);
  });

  it('§2.2 text of a long paragraph is one line', async () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');
    expect(await read(`<p>${words}</p>`, 'text')).toBe(words);
  });
});

describe('markdown', () => {
  it('§2.2 html is converted to markdown', async () => {
    const markdown = await read(RICH, 'markdown');
    expect(markdown).toContain('## Head & tail');
    expect(markdown).toMatch(
      /A \*\*bold\*\*, [_*]slanted[_*] \[link\]\(https:\/\/example\.com\/\?a=1&b=2\)\./,
    );
    expect(markdown).toMatch(/^- +one$/m);
    expect(markdown).toMatch(/^1\. +first$/m);
    expect(markdown).toMatch(/^> quoted$/m);
    expect(markdown).toMatch(/^```\nconst a = 1 < 2;\n```$/m);
    expect(markdown).toContain('![a picture](https://example.com/a.png)');
  });

  it('§2.2 markdown that was written is read again with the same meaning', async () => {
    const written = '## Head\n\nA **bold** word.\n\n- one\n- two';
    const id = await create('author', { fields: { bio: written } }, 'ft_format=markdown');
    const first = (await readItem(id, 'bio[format]=markdown', 'all')).bio as string;
    const again = await create('author', { fields: { bio: first } }, 'ft_format=markdown');
    expect((await readItem(again, '', 'all')).bio).toBe((await readItem(id, '', 'all')).bio);
    expect((await readItem(again, 'bio[format]=markdown', 'all')).bio).toBe(first);
  });

  it('§2.2 markdown characters in text are escaped', async () => {
    const html = '<p>2 * 3 * 4, [a](b), # no head, a_b_c</p>';
    const markdown = await read(html, 'markdown');
    const id = await create('author', { fields: { bio: markdown } }, 'ft_format=markdown');
    expect(((await readItem(id, '', 'all')).bio as string).trim()).toBe(html);
  });
});

describe('portable_html', () => {
  it('§2.2 portable_html has extra attributes, and is otherwise the html', async () => {
    const portable = await read(RICH, 'portable_html');
    expect(portable).toMatch(/<h2[^>]* data-service-ftelm="[^"]+"/);
    expect(portable.replaceAll(/ data-service-[a-z-]+="[^"]*"/g, '')).toBe(RICH);
  });

  it('§2.2 portable_html can be written back unchanged', async () => {
    const html =
      '<p>before</p><div data-service-ftelm="addon" data-service-id="7" class="card"><span>card</span></div>';
    const first = await read(html, 'portable_html');
    expect(first).toContain('data-service-ftelm="addon"');
    expect(first).toContain('data-service-id="7"');
    expect(await read(first, 'portable_html')).toBe(first);
    expect(await read(first, 'html')).toBe('<p>before</p><div class="card"><span>card</span></div>');
  });
});

describe('everywhere', () => {
  it('§2.2 formats are stable from run to run', async () => {
    for (const format of ['html', 'text', 'markdown', 'portable_html']) {
      expect(await read(RICH, format), format).toBe(await read(RICH, format));
    }
  });

  it('§2.2 empty flexible text is empty in every format', async () => {
    for (const format of ['html', 'text', 'markdown', 'portable_html']) {
      expect(await read('', format), format).toBe('');
    }
  });

  it('§2.2 formats apply inside field sets, repeats and embedded references', async () => {
    const author = await create('author', { fields: { bio: '<p>A <strong>bold</strong> one</p>' } });
    const rich = '<p><strong>deep</strong></p>';
    const fields = { author, seo: { rich }, related: [{ rich }, { rich, person: author }] };
    const id = await create('article', { fields });
    const query =
      'seo.rich[format]=markdown&related.rich[format]=text&author.bio[format]=markdown' +
      '&related.person.bio[format]=text';
    const item = await readItem(id, query, 'all');
    expect(item.seo).toMatchObject({ rich: '**deep**' });
    expect(item.related).toMatchObject([{ rich: 'deep' }, { rich: 'deep', person: { bio: 'A bold one' } }]);
    expect((item.author as Item).bio).toBe('A **bold** one');
    const plain = await readItem(id, '', 'all');
    expect(plain.seo).toMatchObject({ rich });
    expect(plain.author).toMatchObject({ bio: '<p>A <strong>bold</strong> one</p>' });
  });

  it('§2.2 formats apply inside combinations', async () => {
    const models = {
      page: { blocks: { type: 'combination', sets: { prose: { body: { type: 'flexible_text' } } } } },
    };
    const contents = [
      {
        id: 1,
        model: 'page',
        created_at: '2026-01-01T00:00:00Z',
        published: { ja: { blocks: [{ luid: 'prose', fields: { body: '<p><em>block</em></p>' } }] } },
      },
    ];
    const other = await startEmulator({
      languages: { main: 'ja' },
      keys: seed.keys.slice(0, 2),
      models,
      contents,
    });
    try {
      const response = await fetch(`${other.baseUrl}/contents/1?blocks.prose.body[format]=text`, {
        headers: { 'X-SERVICE-API-KEY': 'pub' },
      });
      expect(await response.json()).toMatchObject({
        blocks: [{ luid: 'prose', fields: { body: 'block' } }],
      });
    } finally {
      await other.close();
    }
  });

  it('§2.2 formats apply in lists and in every language', async () => {
    const body = { fields: { bio: '<p><b>ja</b></p>' }, 'fields[en]': { bio: '<p><b>en</b></p>' } };
    const id = await create('author', body);
    const found = async (lang: string) =>
      (await list(`_id[eq]=${id}&lang=${lang}&bio[format]=markdown`, 'all')).data[0]?.bio;
    expect([await found('ja'), await found('en')]).toEqual(['**ja**', '**en**']);
  });

  it('§4.1 contains compares the text, whatever the format it was written in', async () => {
    const id = await create('author', { fields: { bio: '**walrus** `tusk`' } }, 'ft_format=markdown');
    expect((await list('bio[contains]=walrus', 'all')).data.map((item) => item._id)).toEqual([id]);
    expect((await list('bio[contains]=strong,walrus', 'all')).total).toBe(0);
  });

  it('§2.2 invalid html is converted to every format', async () => {
    const odd = [
      '<p>open',
      '</p></div>',
      '<',
      '<p <b>>x',
      '<!-- c --><p>a</p>',
      '<script>1 < 2</script>',
      '&bogus;',
    ];
    for (const html of odd) {
      for (const format of ['html', 'text', 'markdown', 'portable_html']) {
        expect(typeof (await read(html, format)), `${format} ${html}`).toBe('string');
      }
    }
  });
});
