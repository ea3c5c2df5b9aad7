import { beforeAll, describe, expect, test } from 'vitest';
import {
  type CleanOptions,
  createHtmlCleaner,
  type HtmlCleaner,
} from '../../../src/entries/sanitize/sanitize-html.ts';
import { type HtmlPackages, loadHtmlPackages } from '../../../src/entries/sanitize/sanitize-packages.ts';

let packages: HtmlPackages;
let cleaner: HtmlCleaner;
beforeAll(async () => {
  packages = await loadHtmlPackages();
  cleaner = createHtmlCleaner(packages);
});
const clean = (html: string, options?: CleanOptions) => cleaner.cleanHtml(html, options);

describe('cleaned HTML', () => {
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

  test('has addresses as browsers read them', () => {
    expect(clean('<a href=" HTTPS://X.example/A ">a</a>')).toBe('<a href="https://X.example/A">a</a>');
    expect(clean('<a href="\tJavaScript:x">a</a>')).toBe('<a>a</a>');
    expect(clean('<img src=" HTTP://x.example ">')).toBe('<img src="http://x.example">');
    expect(clean('<video poster=" /a " title=" b "></video>')).toBe(
      '<video poster="/a" title=" b "></video>',
    );
    expect(clean('<a href="/a/HTTP:b">c</a>')).toBe('<a href="/a/HTTP:b">c</a>');
    expect(clean('<q cite=" /a ">b</q>')).toBe('<q cite="/a">b</q>');
  });

  test('has ids with a prefix, and what refers to them', () => {
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

  test('has the classes that are kept', () => {
    const html = '<b class="a  b c">x</b><i class="d">y</i>';
    expect(clean(html, { keepsClass: (name) => name !== 'b' && name !== 'd' })).toBe(
      '<b class="a c">x</b><i>y</i>',
    );
    expect(clean(html)).toBe('<b>x</b><i>y</i>');
  });

  test('is made by other rules and another way of writing, where they are passed', () => {
    const rules = { tagNames: ['p'], attributes: {} };
    expect(clean('<p title="a">b<b>c</b></p>', { rules })).toBe('<p>bc</p>');
    const encode = (text: string) => text.replaceAll(/[b\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
    expect(clean('<p title="ab">b</p>', { encode })).toBe('<p title="a&#98;">&#98;</p>');
    expect(clean('<pre>\n\nx</pre>', { encode })).toBe('<pre>&#10;&#10;x</pre>');
  });

  test('of what is nested too deeply is its text', () => {
    expect(clean(`<p>a &amp; b</p>${'<b>'.repeat(100_000)}`)).toBe('a &amp; b');
  });

  test('of more elements than any text has is its text', () => {
    // The parser makes three of its own.
    const many = (count: number) => `a${'<br>'.repeat(count)}`;
    expect(clean(many(99_997)) === many(99_997)).toBe(true);
    expect(clean(many(99_998)).slice(0, 20).trim()).toBe('a');
  });

  test('of what does not come to rest is its text, after five rounds', () => {
    let rounds = 0;
    const { sanitizer, parse5 } = packages;
    const restless = createHtmlCleaner({
      parse5,
      sanitizer: {
        ...sanitizer,
        sanitize: () => {
          rounds += 1;
          return { type: 'root', children: [{ type: 'text', value: `round ${rounds}` }] };
        },
      },
    });
    expect(restless.cleanHtml('<p>a</p>')).toBe('a');
    expect(rounds).toBe(5);
  });

  test('is not made of an error that is not about depth', () => {
    const { sanitizer, parse5 } = packages;
    const sanitize = () => {
      throw new TypeError('broken');
    };
    const broken = createHtmlCleaner({ parse5, sanitizer: { ...sanitizer, sanitize } });
    expect(() => broken.cleanHtml('<p>a</p>')).toThrow('broken');
  });

  test('has nothing of nodes that are neither text nor elements', () => {
    const { sanitizer, parse5 } = packages;
    const sanitize = () => ({ type: 'comment', value: 'x' }) as never;
    const odd = createHtmlCleaner({ parse5, sanitizer: { ...sanitizer, sanitize } });
    expect(odd.cleanHtml('<!-- a -->')).toBe('');
  });
});

describe('a link may lead', () => {
  test.each(['https://a.example', 'HTTP://a.example', ' mailto:a ', 'tel:1', '/a', '#b', '?c', 'd', ''])(
    'to %j',
    (url) => {
      expect(cleaner.isSafeLink(url)).toBe(true);
    },
  );
  test.each(['javascript:x', 'JavaScript:x', 'data:x', 'ftp://a', 'x:y'])('not to %j', (url) => {
    expect(cleaner.isSafeLink(url)).toBe(false);
  });
});
