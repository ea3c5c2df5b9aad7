import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/entries/render-html.ts';

describe('headings of HTML', () => {
  test('get anchors and are listed', () => {
    expect(renderHtml('<h2>Head &amp; tail</h2><p>x</p><h3 class="a">市場の <em>朝</em></h3>')).toEqual({
      html: '<h2 id="head-tail">Head &amp; tail</h2><p>x</p><h3 id="市場の-朝" class="a">市場の <em>朝</em></h3>',
      metadata: {
        headings: [
          { depth: 2, slug: 'head-tail', text: 'Head & tail' },
          { depth: 3, slug: '市場の-朝', text: '市場の 朝' },
        ],
      },
    });
  });

  test('keep their own anchor, and all anchors are unique', () => {
    const { html, metadata } = renderHtml(
      '<h2 id="mine">A</h2><h2>Same</h2><h2>Same</h2><h2>!</h2><h2></h2>',
    );
    expect(metadata.headings.map(({ slug }) => slug)).toEqual([
      'mine',
      'same',
      'same-1',
      'section',
      'section-1',
    ]);
    expect(html).toContain('<h2 id="mine">A</h2>');
  });

  test('with equal text are numbered from one, and trimmed', () => {
    const { metadata } = renderHtml('<h2> A </h2><h3>B</h3><h4>A</h4><h2>A-1</h2><h2>A</h2>');
    expect(metadata.headings).toEqual([
      { depth: 2, slug: 'a', text: 'A' },
      { depth: 3, slug: 'b', text: 'B' },
      { depth: 4, slug: 'a-1', text: 'A' },
      { depth: 2, slug: 'a-1-1', text: 'A-1' },
      { depth: 2, slug: 'a-2', text: 'A' },
    ]);
  });

  test('get no anchor that another element has, before or after them', () => {
    const { html, metadata } = renderHtml(
      '<p id="intro">x</p><h2>Intro</h2><h2>Foo</h2><h2 id="foo">Bar</h2><h2>End</h2><p id=end>',
    );
    expect(metadata.headings.map(({ slug }) => slug)).toEqual(['intro-1', 'foo-1', 'foo', 'end-1']);
    expect(html).toContain('<p id="intro">x</p><h2 id="intro-1">Intro</h2><h2 id="foo-1">Foo</h2>');
  });

  test('with an empty anchor get another in its place', () => {
    const { html, metadata } = renderHtml('<h2 id="" class="a">Empty</h2><h2 id>B</h2><h3 id=" ">C</h3>');
    expect(metadata.headings.map(({ slug }) => slug)).toEqual(['empty', 'b', 'c']);
    expect(html).toBe('<h2 id="empty" class="a">Empty</h2><h2 id="b">B</h2><h3 id="c">C</h3>');
  });

  test('have texts and anchors without entities and rests of tags', () => {
    const { metadata } = renderHtml('<h2>Caf&eacute; &mdash; bar</h2><h2>a<img alt="1 > 0">b</h2>');
    expect(metadata.headings).toEqual([
      { depth: 2, slug: 'café-bar', text: 'Café — bar' },
      { depth: 2, slug: 'ab', text: 'ab' },
    ]);
  });

  test('are h1 to h6 only', () => {
    const html = '<xh2>a</xh2><h2x>b</h2x><h7>c</h7><h22>d</h22>';
    expect(renderHtml(html)).toEqual({ html, metadata: { headings: [] } });
  });

  test('that do not exist leave the HTML unchanged', () => {
    for (const html of ['<p>h2</p><header>x</header><h2>open', '<p>none</p>', ''])
      expect(renderHtml(html)).toEqual({ html, metadata: { headings: [] } });
  });
});
