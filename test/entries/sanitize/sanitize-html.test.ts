import { beforeAll, describe, expect, test } from 'vitest';
import {
  createHtmlSanitizer,
  type HtmlSanitizer,
  type SanitizeHtmlOptions,
} from '../../../src/entries/sanitize/sanitize-html.ts';
import { type HtmlPackages, loadHtmlPackages } from '../../../src/entries/sanitize/sanitize-packages.ts';

let packages: HtmlPackages;
let cleaner: HtmlSanitizer;
beforeAll(async () => {
  packages = await loadHtmlPackages();
  cleaner = createHtmlSanitizer(packages);
});
const clean = (html: string, options?: SanitizeHtmlOptions) => cleaner.sanitizeHtml(html, options);

describe('sanitized HTML', () => {
  test.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['a & b &lt; c > "d" \u00a0', 'a &amp; b &lt; c &gt; &quot;d&quot; &nbsp;'],
    ["<p title='a\"b&amp;<c>'>d", '<p title="a&quot;b&amp;&lt;c&gt;">d</p>'],
    ['<P ID=x CLASS="language-js y">a', '<p id="user-content-x" class="language-js">a</p>'],
    ['<b>a<i>b</b>c</i>', '<b>a<i>b</i></b><i>c</i>'],
    ['a<br/>b<img src=c></img>', 'a<br>b<img src="c">'],
    ['<pre>\n\na</pre>', '<pre>\n\na</pre>'],
    ['<pre>\na</pre>', '<pre>a</pre>'],
    ['<p>\na</p>', '<p>\na</p>'],
    ['<details open>a</details>', '<details open="">a</details>'],
    ['<p><script>x</script>a</p><!-- b -->', '<p>a</p>'],
  ])('of %j', (html, cleaned) => {
    expect(clean(html)).toBe(cleaned);
    expect(clean(cleaned)).toBe(cleaned);
  });

  test('has URLs as browsers parse them', () => {
    expect(clean('<a href=" HTTPS://X.example/A ">a</a>')).toBe('<a href="https://X.example/A">a</a>');
    expect(clean('<a href="\tJavaScript:x">a</a>')).toBe('<a>a</a>');
    expect(clean('<img src=" HTTP://x.example ">')).toBe('<img src="http://x.example">');
    expect(clean('<video poster=" /a " title=" b "></video>')).toBe(
      '<video poster="/a" title=" b "></video>',
    );
    expect(clean('<a href="/a/HTTP:b">c</a>')).toBe('<a href="/a/HTTP:b">c</a>');
    expect(clean('<q cite=" /a ">b</q>')).toBe('<q cite="/a">b</q>');
  });

  test('has a prefix in ids and in references to them', () => {
    expect(clean('<i id="a">b</i><a href="#a">c</a><a href="/x#a">d</a><a href="#">e</a>')).toBe(
      '<i id="user-content-a">b</i><a href="#user-content-a">c</a><a href="/x#a">d</a><a href="#">e</a>',
    );
    expect(clean('<i aria-labelledby=" a  b " aria-describedby="c">d</i>')).toBe(
      '<i aria-labelledby="user-content-a user-content-b" aria-describedby="user-content-c">d</i>',
    );
    expect(clean('<table><tbody><tr><td headers="a b">c</td></tr></tbody></table>')).toContain(
      'headers="user-content-a user-content-b"',
    );
    expect(clean('<i id="" title="#a">b</i><a href="">c</a>')).toBe(
      '<i id="" title="#a">b</i><a href="">c</a>',
    );
    expect(clean('<a title="a" href="#b">c</a>')).toBe('<a title="a" href="#user-content-b">c</a>');
  });

  test('has only the classes that are kept', () => {
    const html = '<b class="a  b c">x</b><i class="d">y</i>';
    expect(clean(html, { keepsClass: (name) => name !== 'b' && name !== 'd' })).toBe(
      '<b class="a c">x</b><i>y</i>',
    );
    expect(clean(html)).toBe('<b>x</b><i>y</i>');
  });

  test('uses the rules and the encoder that are passed', () => {
    const rules = { tagNames: ['p'], attributes: {} };
    expect(clean('<p title="a">b<b>c</b></p>', { rules })).toBe('<p>bc</p>');
    const encode = (text: string) => text.replaceAll(/[b\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
    expect(clean('<p title="ab">b</p>', { encode })).toBe('<p title="a&#98;">&#98;</p>');
    expect(clean('<pre>\n\nx</pre>', { encode })).toBe('<pre>&#10;&#10;x</pre>');
  });

  test('is plain text if the input is nested too deeply', () => {
    expect(clean(`<p>a &amp; b</p>${'<b>'.repeat(100_000)}`)).toBe('a &amp; b');
  });

  test('is plain text if the input has too many elements', () => {
    // The parser makes three of its own.
    const many = (count: number) => `a${'<br>'.repeat(count)}`;
    expect(clean(many(99_997)) === many(99_997)).toBe(true);
    expect(clean(many(99_998)).slice(0, 20).trim()).toBe('a');
  });

  test('is plain text if the result is not stable after five rounds', () => {
    let rounds = 0;
    const { sanitizer, parse5 } = packages;
    const restless = createHtmlSanitizer({
      parse5,
      sanitizer: {
        ...sanitizer,
        sanitize: () => {
          rounds += 1;
          return { type: 'root', children: [{ type: 'text', value: `round ${rounds}` }] };
        },
      },
    });
    expect(restless.sanitizeHtml('<p>a</p>')).toBe('a');
    expect(rounds).toBe(5);
  });

  test('is not produced after an unexpected error, which is thrown', () => {
    const { sanitizer, parse5 } = packages;
    const sanitize = () => {
      throw new TypeError('broken');
    };
    const broken = createHtmlSanitizer({ parse5, sanitizer: { ...sanitizer, sanitize } });
    expect(() => broken.sanitizeHtml('<p>a</p>')).toThrow('broken');
  });

  test('has no nodes other than text and elements', () => {
    const { sanitizer, parse5 } = packages;
    const sanitize = () => ({ type: 'comment', value: 'x' }) as never;
    const odd = createHtmlSanitizer({ parse5, sanitizer: { ...sanitizer, sanitize } });
    expect(odd.sanitizeHtml('<!-- a -->')).toBe('');
  });
});

describe('a link', () => {
  test.each(['https://a.example', 'HTTP://a.example', ' mailto:a ', 'tel:1', '/a', '#b', '?c', 'd', ''])(
    'may point to %j',
    (url) => {
      expect(cleaner.isSafeLink(url)).toBe(true);
    },
  );
  test.each(['javascript:x', 'JavaScript:x', 'data:x', 'ftp://a', 'x:y'])('must not point to %j', (url) => {
    expect(cleaner.isSafeLink(url)).toBe(false);
  });
});
