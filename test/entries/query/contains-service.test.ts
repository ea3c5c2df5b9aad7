import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { compileFilter } from '../../../src/entries/query/filter.ts';
import { field } from '../../../src/index.ts';

/** Stored HTML. Each is served as HTML and as Markdown. */
const TEXTS = [
  '<p>use the <strong>api</strong> key c_d 1 * 2</p>',
  '<ul><li>the</li><li>rapist</li></ul>',
  '<p>one<br>two</p><p>three</p>',
  '<h2>A heading</h2><p>with <em>emphasis</em> and <a href="https://x.example/a_b?c=(d)" title="A &quot;title&quot;">a link</a>.</p>',
  '<p>これは<em>強調</em>です。<strong>太字</strong>も。</p>',
  '<p>R&amp;D &lt;b&gt; &amp;amp; &nbsp;end</p>',
  '<p>&lt;table&gt; is a tag</p><p>&lt;table</p>',
  '<pre><code class="language-js">const a_b = [1]; // **no** `mark`\n\n  next("&lt;p&gt;")\n</code></pre><p>after</p>',
  '<p>run <code>npm_i *</code> and <code>a `b` c</code></p>',
  '<ol start="7"><li>first<ul><li>inner</li></ul></li><li>second</li></ol>',
  '<blockquote><p>quoted</p><p>twice</p><pre><code>&gt; code</code></pre></blockquote>',
  '<table><tr><th>head</th><td>cell *x* a_b</td></tr><tr><td>R&amp;D</td></tr></table><p>below</p>',
  '<p>1. not a list</p><p>- nor this</p><p># nor this</p><p>&gt; nor this</p><p>+ plus</p>',
  '<p>[brackets] (parens) ![no image] [a](b)</p>',
  '<p>before<img src="x.png" alt="an alt text" title="t">after</p>',
  '<p><a href="/x"><img src="y.png" alt="alt"> linked</a></p>',
  '<p>back\\slash \\* star \\</p>',
  '<p>**stars** __under__ ~~tilde~~ `ticks` ```</p>',
  '<p>a\n   wrapped\ttext</p>',
  '<p>x</p><hr><p>y</p>',
  '<p><strong>bo</strong>ld in a wo<strong>rd</strong></p>',
  '<div>div<p>para</p>tail</div>',
  '<p>5 &lt; 6 &gt; 4 &#8364; &eacute; &copy;</p>',
  '<p>snake_case_name and 2*3*4</p>',
  '<p>https://x.example/a_b_c www.x.example a@b.example</p>',
  "<p>Ｆｕｌｌ &quot;quotes&quot; 'single'</p>",
  '<p>a <b> spaced </b> b</p>',
  '<p></p>',
];
const NEEDLES = [
  ...[
    'the api key',
    'c_d',
    '1 * 2',
    '**',
    '*',
    '_',
    '`',
    'therapist',
    'the rapist',
    'onetwo',
    'one two',
    'two three',
  ],
  ...[
    'a heading',
    'heading with',
    '#',
    'with emphasis and',
    'a link.',
    'x.example',
    'a_b',
    'title',
    'https',
    '強調です',
  ],
  ...[
    '太字も',
    'r&d',
    '<b>',
    '&amp;',
    '&',
    'amp',
    '<table',
    '<table>',
    '<td>',
    'head cell',
    'cell *x*',
    '**no** `mark`',
  ],
  ...[
    'next("<p>")',
    'language-js',
    'js',
    'npm_i *',
    'a `b` c',
    '7.',
    'first inner',
    'inner second',
    'quoted twice',
  ],
  ...[
    '> code',
    'r&d below',
    '1. not',
    '- nor',
    '# nor',
    '> nor',
    '+ plus',
    '[brackets]',
    '![no',
    '[a](b)',
    'alt',
  ],
  ...[
    'beforeafter',
    'linked',
    'back\\slash',
    '\\*',
    '\\',
    '**stars**',
    '__under__',
    '~~tilde~~',
    '```',
    'a wrapped text',
  ],
  ...[
    'x y',
    'xy',
    '---',
    '* * *',
    'bold in a word',
    'div para tail',
    '5 < 6 > 4',
    '€',
    'é',
    '©',
    'snake_case_name',
  ],
  ...['2*3*4', 'a_b_c', 'a@b', '"quotes"', 'a spaced b', '<', '>', '[', ']', '(', ' ', '  '],
];

const models = { page: { html: field.flexibleText(), md: field.flexibleText({ format: 'markdown' }) } };
const service = createEmulator({
  languages: { main: 'ja', sub: [] },
  keys: [{ key: 'k', reads: 'published' }],
  models,
  contents: TEXTS.map((text, index) => ({
    id: index + 1,
    model: 'page',
    created_at: '2026-01-01T00:00:00Z',
    published: { ja: { html: text, md: text } },
  })),
} as never);
const client = createClient({ baseUrl: service.baseUrl, apiKey: 'k', models, fetch: service.fetch });
const NO_TARGETS = { get: () => undefined, has: () => true, isUndeclared: () => false };

describe.each(['html', 'md'] as const)('contains in the field %s', (name) => {
  test('finds the same items here as in the emulator', async () => {
    const items = (await client.contents.all('page')) as unknown as WireContent[];
    const differences: string[] = [];
    for (const needle of NEEDLES) {
      const where = { [name]: { contains: needle } };
      const there = (await client.contents.all('page', { where })).map(({ _id }) => _id);
      const filter = compileFilter(models, 'page', where);
      const here = items.filter((item) => filter(item, NO_TARGETS)).map(({ _id }) => _id);
      if (String(here) !== String(there)) differences.push(`${needle}: ${here} here, ${there} there`);
    }
    expect(differences).toEqual([]);
  });
});
