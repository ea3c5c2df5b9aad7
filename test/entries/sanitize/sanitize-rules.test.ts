import { beforeAll, describe, expect, test } from 'vitest';
import { createHtmlSanitizer } from '../../../src/entries/sanitize/sanitize-html.ts';
import { loadHtmlPackages } from '../../../src/entries/sanitize/sanitize-packages.ts';
import {
  classFilter,
  PORTABLE_RULES,
  RULES,
  RULES_FINGERPRINT,
} from '../../../src/entries/sanitize/sanitize-rules.ts';

let clean: (html: string) => string;
let cleanPortable: (html: string) => string;
beforeAll(async () => {
  const { sanitizeHtml } = createHtmlSanitizer(await loadHtmlPackages());
  clean = (html) => sanitizeHtml(html, { keepsClass: () => true });
  cleanPortable = (html) => sanitizeHtml(html, { rules: PORTABLE_RULES });
});

describe('elements', () => {
  test.each(
    (
      'abbr address article aside b bdi bdo blockquote center cite code data del details dfn div em figcaption ' +
      'figure footer h1 h2 h3 h4 h5 h6 header hgroup i ins kbd main mark nav p picture pre q s samp section ' +
      'small span strike strong sub summary sup time tt u var a audio video ul ol dl'
    ).split(' '),
  )('%s is kept', (name) => {
    expect(clean(`<${name}></${name}>`)).toBe(`<${name}></${name}>`);
  });

  test.each([
    '<ul><li>a</li></ul>',
    '<dl><dt>a</dt><dd>b</dd></dl>',
    '<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>',
    '<table><caption>a</caption><colgroup><col></colgroup><thead><tr><th>b</th></tr></thead>' +
      '<tbody><tr><td>c</td></tr></tbody><tfoot><tr><td>d</td></tr></tfoot></table>',
    'a<br>b<hr><img>c<wbr>d',
    '<video><source><track></video>',
    '<input type="checkbox" disabled="">',
  ])('%s is kept', (html) => {
    expect(clean(html)).toBe(html);
  });

  test.each(
    (
      'script style title textarea xmp iframe noembed noframes noscript template object applet svg math ' +
      'select button marquee canvas'
    ).split(' '),
  )('%s is removed with its content', (name) => {
    expect(clean(`a<${name}>bad</${name}>b`)).toBe('ab');
  });

  test('others are removed, but their content is kept', () => {
    expect(clean('<form>a</form><x-b>b</x-b><font>c</font><label>d</label><embed>e')).toBe('abcde');
    expect(clean('<!-- a --><!doctype html>b')).toBe('b');
  });
});

describe('attributes', () => {
  const EVERYWHERE =
    '<p id="user-content-a" class="b" title="c" lang="d" dir="e" align="f" valign="g" role="h" hidden="i" itemprop="j" ' +
    'aria-label="k" aria-labelledby="user-content-l" aria-describedby="user-content-m" aria-hidden="n" style="color:red"></p>';
  test.each([
    EVERYWHERE,
    '<a href="/" rel="b" hreflang="c" type="d" target="_blank" download="e"></a>',
    '<blockquote cite="/a"></blockquote><q cite="/a"></q>',
    '<del cite="/a" datetime="b"></del><ins cite="/a" datetime="b"></ins><time datetime="c"></time>',
    '<data value="a"></data><details open="b"></details><ol start="1" reversed="" type="a"><li value="2"></li></ol>',
    '<table border="1" cellpadding="2" cellspacing="3" summary="d" width="4" height="5"><colgroup span="1" width="2" height="3">' +
      '<col span="1" width="2" height="3"></colgroup><tbody><tr>' +
      '<th colspan="1" rowspan="2" headers="user-content-c" scope="d" abbr="e" width="6" height="7"></th>' +
      '<td colspan="1" rowspan="2" headers="user-content-c" scope="d" abbr="e" width="6" height="7"></td></tr></tbody></table>',
    '<img src="/a" srcset="/b 2x, https://x.example/c 300w" sizes="d" alt="e" loading="f" decoding="g" fetchpriority="h" width="1" height="2">',
    '<input type="checkbox" checked="" disabled="">',
    '<pre tabindex="0" data-language="js"></pre>',
    '<picture><source src="/a" srcset="b" sizes="c" media="d" type="e" width="1" height="2"></picture>',
    '<audio src="/a" controls="" loop="" muted="" preload="b" crossorigin="c" width="1" height="2"></audio>',
    '<video src="/a" controls="" loop="" muted="" preload="b" crossorigin="c" width="1" height="2" poster="/d" playsinline="">' +
      '<track src="/a" kind="b" srclang="c" label="d" default=""></video>',
  ])('%s are kept', (html) => {
    expect(clean(html)).toBe(html);
  });

  test.each([
    ['<p onclick="x" name="y" data-a="b" contenteditable="" tabindex="0" href="/">a</p>', '<p>a</p>'],
    ['<a target="_top" ping="/x">a</a>', '<a>a</a>'],
    ['<pre tabindex="5">a</pre>', '<pre>a</pre>'],
    ['<input type="text" value="a">', '<input type="checkbox" disabled="">'],
    ['<input>', '<input type="checkbox" disabled="">'],
  ])('others are removed: %s', (html, cleaned) => {
    expect(clean(html)).toBe(cleaned);
  });

  test('data-* are kept in portable HTML only', () => {
    const html = '<p data-a="b" id="user-content-c">d</p>';
    expect(cleanPortable(html)).toBe(html);
    expect(clean(html)).toBe('<p id="user-content-c">d</p>');
  });
});

describe('URLs', () => {
  const urls = [
    'http://a.example',
    'https://a.example',
    'mailto:a@b.example',
    'tel:1',
    '/a',
    '#',
    'ftp://a',
    'data:a',
  ];
  const kept = (html: (url: string) => string) =>
    urls.filter((url) => clean(html(url)).includes(`="${url}"`));
  test('of links may have the schemes of web, mail and telephone', () => {
    expect(kept((url) => `<a href="${url}">`)).toEqual(urls.slice(0, 6));
  });
  test('of resources and citations may be http(s)', () => {
    const web = ['http://a.example', 'https://a.example', '/a', '#'];
    expect(kept((url) => `<img src="${url}">`)).toEqual(web);
    expect(kept((url) => `<video poster="${url}">`)).toEqual(web);
    expect(kept((url) => `<q cite="${url}">`)).toEqual(web);
  });
  test.each([
    'a.jpg',
    ' a.jpg 2x ',
    'a.jpg 1.5x, b.jpg 2x',
    'https://a.example/b.jpg 300w,c.jpg',
    'a 1h',
    'http://a.example',
  ])('in srcset: %j is kept', (srcset) => {
    expect(clean(`<img srcset="${srcset}">`)).toBe(`<img srcset="${srcset}">`);
  });
  test.each(['javascript:x', 'a.jpg, javascript:x', 'data:a 2x', 'a b c', 'a 2q', 'x ,', ''])(
    'in srcset: %j goes',
    (srcset) => {
      expect(clean(`<img srcset="${srcset}">`)).toBe('<img>');
    },
  );
});

describe('styles', () => {
  test.each([
    'color: red',
    ' color:#f00; ',
    'background-color:rgb(1, 2, 3);font-style:italic;font-weight:700;font-size:1.5em',
    'text-align:center; text-decoration:underline; text-indent:-1px; vertical-align:top',
    'white-space:pre; word-wrap:break-word; overflow-wrap:anywhere; overflow-x:auto',
    'width:50%; max-width:10px; height:2px',
    '--shiki-dark:#fff; --shiki-dark-bg:var(--a)',
    'color:rgba(0,0,0,.5); color:hsl(1 2% 3% / 4); color:hsla(1,2%,3%,4)',
    '',
  ])('%j is kept', (style) => {
    expect(clean(`<p style="${style}">a</p>`)).toBe(`<p style="${style}">a</p>`);
  });
  test.each([
    'position:fixed',
    'color:red; position:fixed',
    'background:url(x)',
    'background-color:url(https://x.example)',
    'color:expression(a)',
    'min-width:5px',
    'color:red}',
    'x',
    'colors:red',
    'color red',
    'color:red; x',
    'font-family:a',
  ])('%j is removed', (style) => {
    expect(clean(`<p style="${style}">a</p>`)).toBe('<p>a</p>');
  });
});

describe('classes', () => {
  const kept = (allowed?: string[]) =>
    ['language-js', 'language-', 'language', 'note', 'note-info', 'notes', '*'].filter(classFilter(allowed));
  test('of code are kept', () => {
    expect(kept()).toEqual(['language-js', 'language-']);
  });
  test('that are allowed by name or prefix are kept', () => {
    expect(kept(['note'])).toEqual(['language-js', 'language-', 'note']);
    expect(kept(['note-*'])).toEqual(['language-js', 'language-', 'note-info']);
    expect(kept(['note*'])).toEqual(['language-js', 'language-', 'note', 'note-info', 'notes']);
  });
});

test('the fingerprint contains all rules, including patterns', () => {
  expect(JSON.parse(RULES_FINGERPRINT)).toEqual([
    4,
    JSON.parse(JSON.stringify(RULES, (_, value) => (value instanceof RegExp ? value.source : value))),
  ]);
  expect(RULES_FINGERPRINT).toContain('background-color');
  expect(RULES).toMatchObject({ clobber: [], clobberPrefix: '', allowComments: false, allowDoctypes: false });
});
