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

  test('are h1 to h6 only', () => {
    const html = '<xh2>a</xh2><h2x>b</h2x><h7>c</h7><h22>d</h22>';
    expect(renderHtml(html)).toEqual({ html, metadata: { headings: [] } });
  });

  test('that do not exist leave the HTML unchanged', () => {
    for (const html of ['<p>h2</p><header>x</header><h2>open', '<p>none</p>', ''])
      expect(renderHtml(html)).toEqual({ html, metadata: { headings: [] } });
  });
});
