import fc from 'fast-check';
import * as parse5 from 'parse5';
import { describe, expect, test } from 'vitest';
import {
  joinNodes,
  type RichNode,
  splitHtml,
} from '../../../../src/astro/components/rich-text/split-html.ts';
import { randomHtml } from '../../../security/random-html.ts';

const split = (html: string, ...names: string[]) => splitHtml(parse5, html, new Set(names));

/** The result with elements as `[name, props, ...children]`. */
const short = (nodes: readonly RichNode[] | undefined): unknown =>
  nodes?.map((node) =>
    typeof node === 'string' ? node : [node.name, node.props, ...(short(node.children) as unknown[])],
  );

describe('splitHtml', () => {
  test('splits at elements, nested too, and keeps the rest as it is written', () => {
    expect(short(split('<P CLASS=a>x <A HREF=b>y<b>z</B></A>&hellip;</P >', 'a', 'b'))).toEqual([
      '<P CLASS=a>x ',
      ['a', { href: 'b' }, 'y', ['b', {}, 'z']],
      '&hellip;</P >',
    ]);
  });

  test('returns HTML without such elements unchanged', () => {
    expect(split('<p>a<p>b</x><!-- c', 'a')).toEqual(['<p>a<p>b</x><!-- c']);
  });

  test('void elements have no children, and no end tag', () => {
    expect(short(split('a<br/>b<img alt=x>c', 'br', 'img'))).toEqual([
      'a',
      ['br', {}],
      'b',
      ['img', { alt: 'x' }],
      'c',
    ]);
  });

  test('decodes attributes; boolean ones are true', () => {
    const html = `<video controls muted=muted title="&quot;a&quot; &amp; 'b'" hidden poster=''></video>`;
    expect(short(split(html, 'video'))).toEqual([
      ['video', { controls: true, muted: true, title: `"a" & 'b'`, hidden: true, poster: '' }],
    ]);
  });

  test('the attributes of custom elements are strings', () => {
    expect(short(split('<x-a open hidden=b>c</x-a>', 'x-a'))).toEqual([
      ['x-a', { open: '', hidden: 'b' }, 'c'],
    ]);
  });

  test.each([
    ['<p>a<p>b', '<p>a</p><p><b></b>b</p>', 'i'],
    ['<b>1<p>2</b>3</p>', '<b>1</b><p><b>2</b>3</p>', 'b'],
    ['<table><b>x</b><tr><td>y</table>', '<b>x</b><table><tbody><tr><td>y</td></tr></tbody></table>', 'b'],
    ['<a href=1>x<a href=2>y', '<a href="1">x</a><a href="2">y</a>', 'a'],
  ])('%s is closed as in browsers', (html, joined, name) => {
    const nodes = split(html, name) ?? [];
    expect(joinNodes(nodes)).toBe(name === 'i' ? html : joined);
  });

  test('text cannot become markup next to the content of another element', () => {
    expect(short(split('<<b>img></b>&am<b>p;</b> & a', 'b'))).toEqual([
      '&lt;',
      ['b', {}, 'img>'],
      '&amp;am',
      ['b', {}, 'p;'],
      ' & a',
    ]);
  });

  test('a newline at the start of pre is the one that browsers show', () => {
    expect(short(split('<pre>\na</pre><pre>\n\nb</pre><pre>\r\n\r\nc</pre>', 'pre'))).toEqual([
      ['pre', {}, 'a'],
      ['pre', {}, '\n\nb'],
      ['pre', {}, '\n\r\nc'],
    ]);
    expect(short(split('<pre>\n\na <b>x</b></pre>', 'b'))).toEqual(['<pre>\n\na ', ['b', {}, 'x'], '</pre>']);
  });

  test('comments, raw text, templates and foreign content are as they are written', () => {
    const parts = [
      '<!-- <a> --><!doc><?pi?>',
      '<style>a > b {}</style><script>"<a>"</script><xmp><a></xmp><iframe><a></iframe>',
      '<template><a href=x>t</a></template><noscript><a>n</a></noscript><textarea>x &lt;a></textarea>',
      '<svg viewBox="0 0 1 1"><a xlink:href="#b"><path/></a></svg><math><mi>x</mi></math>',
    ];
    for (const part of parts) expect(short(split(`${part}<a>x</a>`, 'a'))).toEqual([part, ['a', {}, 'x']]);
  });

  test('an iframe has no children: its content is not markup', () => {
    expect(short(split('<iframe src=x><b>a</b></iframe>', 'iframe', 'b'))).toEqual([
      ['iframe', { src: 'x' }],
    ]);
  });

  test('attributes that a framework would act on are not passed', () => {
    const html =
      '<a client:load server:defer set:html=x class:list=x is:raw define:vars=x transition:name=x ' +
      'children=x key=x ref=x __proto__=x "=x href=y xml:lang=z>a</a>';
    expect(short(split(html, 'a'))).toEqual([['a', { href: 'y', 'xml:lang': 'z' }, 'a']]);
  });

  test('deeply nested elements do not exhaust the stack', () => {
    const html = `${'<blockquote>'.repeat(300)}a`;
    const depthOf = (nodes: readonly RichNode[] = []): number =>
      Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 0 : 1 + depthOf(node.children))));
    expect(depthOf(split(html, 'blockquote'))).toBe(64);
    expect(split('<b>'.repeat(20_000), 'b')).toBeUndefined();
  });

  test.each([
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=x&gt;">',
    '<a>x</a><plaintext><b>',
    '<select><div><a>x</a></div></select>',
    '<noscript><p title="</noscript><a href=x>y</a>"></noscript>',
  ])('%s cannot be split without another meaning', (html) => {
    expect(split(html, 'a', 'img', 'b')).toBeUndefined();
  });

  test('long text takes linear time', () => {
    const html = `<p>${'a &amp; b '.repeat(20_000)}<a>x</a></p>`;
    expect(split(html, 'a')).toHaveLength(3);
  });

  test('random HTML means the same after it was split', () => {
    const names = new Set(
      'a b p h2 div li td table tr ul img br pre code button option font details x-a'.split(' '),
    );
    const { createElement } = parse5.defaultTreeAdapter;
    const body = createElement('body', parse5.html.NS.HTML, []);
    const read = (html: string) => parse5.serialize(parse5.parseFragment(body, html, {}));
    let unsplit = 0;
    fc.assert(
      fc.property(randomHtml, (html) => {
        const nodes = splitHtml(parse5, html, names);
        if (nodes) expect(read(joinNodes(nodes))).toBe(read(html));
        else unsplit += 1;
      }),
      { numRuns: 1000 },
    );
    expect(unsplit).toBeLessThan(150);
  });
});
