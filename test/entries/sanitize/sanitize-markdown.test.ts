import { beforeAll, describe, expect, test } from 'vitest';
import { createHtmlSanitizer, type HtmlSanitizer } from '../../../src/entries/sanitize/sanitize-html.ts';
import { createMarkdownSanitizer } from '../../../src/entries/sanitize/sanitize-markdown.ts';
import {
  loadHtmlPackages,
  loadMarkdownPackages,
  type MarkdownPackages,
} from '../../../src/entries/sanitize/sanitize-packages.ts';

let packages: MarkdownPackages;
let html: HtmlSanitizer;
let clean: (markdown: string, keepsClass?: (name: string) => boolean) => string;
beforeAll(async () => {
  packages = await loadMarkdownPackages();
  html = createHtmlSanitizer(await loadHtmlPackages());
  clean = createMarkdownSanitizer(packages, html);
});

describe('Markdown without tags and unsafe links', () => {
  test.each([
    '',
    '* a\n+ b',
    '[a](https://x.example "b") [c](/d) [e] (f)',
    '![a](b.png)',
    '[a]: https://x.example\n[b]: c',
    '[a](\n/b)',
    'a ] (b)',
    '[a](b c:d)',
    '[a](/javascript:x) [b](?x:y) [c](#x:y)',
    '[a] b: c',
  ])('%j is unchanged', (markdown) => {
    expect(clean(markdown)).toBe(markdown);
  });
});

describe('links and images', () => {
  test.each([
    ['[a *b*](javascript:x) c', 'a *b* c\n'],
    ['![a](javascript:x) c', 'a c\n'],
    ['b![](javascript:x)c', 'bc\n'],
    ['[a](data:x)', 'a\n'],
    ['[a][b] c\n\n[b]: javascript:x', 'a c\n'],
    ['![a][b] c\n\n[b]: javascript:x', 'a c\n'],
    ['[a][b]\n\n[b]: https://x.example\n[c]: javascript:x', '[a][b]\n\n[b]: https://x.example\n'],
    ['![a][b]\n\n[b]: https://x.example\n[c]: javascript:x', '![a][b]\n\n[b]: https://x.example\n'],
    ['![a](b.png) [c](x:y)', '![a](b.png) c\n'],
    ['a[^b]\n\n[^b]: c\n\n[b]: x:y', 'a[^b]\n\n[^b]: c\n'],
    ['[a](java&Tab;script:x)', 'a\n'],
    ['[a](https&colon;x) [b](x:y)', '[a](https:x) b\n'],
    ['[a](<b\\<c>) d', 'a d\n'],
    ['[a](\tjavascript:x)', 'a\n'],
    ['[a](https://x.example/b%20c) [d](x:y)', '[a](https://x.example/b%20c) d\n'],
    ['> [a](x:y)\n\n- [b](x:y)', '> a\n\n* b\n'],
    ['> a[^1]\n\n[^1]: [b](x:y)\n', '> a[^1]\n\n[^1]: b\n'],
    ['> [b]: x:y\n\n[a][b]', '>\n\na\n'],
  ])('%j becomes %j', (markdown, cleaned) => {
    expect(clean(markdown)).toBe(cleaned);
  });
});

describe('a block of HTML around Markdown', () => {
  // Showdown, for one, copies everything from `<div>` to `</div>`, also `<img>` in code and after a backslash.
  test('is closed before it: some renderers pass all text within a block on as HTML', () => {
    expect(clean('<div>\n\n\\<img onerror=x>\n\n</div>')).toBe('<div></div>\n\n&lt;img onerror=x>\n');
    expect(clean('<details>\n<summary>S</summary>\n\n`<img onerror=x>` **b**\n\n</details>')).toBe(
      '<details>&#10;<summary>S</summary></details>\n\n`<img onerror=x>` **b**\n',
    );
  });

  test('is kept if all of it is HTML', () => {
    expect(clean('<details>\n<summary>S</summary>\n<b>b</b>\n</details>')).toBe(
      '<details>&#10;<summary>S</summary>&#10;<b>b</b>&#10;</details>\n',
    );
  });
});

describe('a `<` that is text', () => {
  // Showdown and the first Markdown, for two, do not know that a backslash escapes it.
  test.each([
    ['\\<img onerror=x>', '&lt;img onerror=x>\n'],
    ['a &lt;img onerror=x> b \\<b>', 'a &lt;img onerror=x> b &lt;b>\n'],
    ['a \\\\\\<b> c', 'a \\\\&lt;b> c\n'],
    ['1 < 2 \\<b>', '1 &lt; 2 &lt;b>\n'],
    ['1 \\\\< 2', '1 \\\\&lt; 2\n'],
    ['a\\<*b*\\<', 'a&lt;*b*&lt;\n'],
    ['# \\<b>', '# &lt;b>\n'],
    ['| \\<b> |\n| - |\n| \\<i> |', '| &lt;b> |\n| ------ |\n| &lt;i> |\n'],
    ['![\\<b>](c "\\<i>")', '![&lt;b>](c "&lt;i>")\n'],
    ['[a](</b c\\<d> "<i>")', '[a](</b c%3Cd> "&lt;i>")\n'],
    ['[a](/b<i>)', '[a](/b%3Ci>)\n'],
    ['[a][b<c]\n\n[b<c]: /d "<i>"', '[a][b&lt;c]\n\n[b&lt;c]: /d "&lt;i>"\n'],
    ['a[^b<c]\n\n[^b<c]: \\<d>', 'a[^b&lt;c]\n\n[^b&lt;c]: &lt;d>\n'],
    ['&amp;lt;b> \\<i>', '\\&lt;b> &lt;i>\n'],
  ])('is written as a character reference: %j becomes %j', (markdown, cleaned) => {
    expect(clean(markdown)).toBe(cleaned);
    expect(clean(cleaned)).toBe(cleaned);
  });

  test.each(['`\\<b>`', '```\n\\<b>\n```', '    \\<b>'])('stays as it is in code: %j', (markdown) => {
    expect(clean(markdown)).toContain('\\<b>');
  });
});

describe('tags', () => {
  test.each([
    ['a <b onclick="x">b</b> c', 'a <b>b</b> c\n'],
    ['a <script>b</script> c', 'a b c\n'],
    ['a <x>b</x> c', 'a b c\n'],
    ['a <B>b</B > c', 'a <b>b</b> c\n'],
    ['a <br> b', 'a <br> b\n'],
    ['a <!-- b --> c', 'a  c\n'],
    ['<div onclick="x">*a*</div>', '<div>&#42;a&#42;</div>\n'],
    ['<script>a</script>\n\nb', 'b\n'],
    ['!<script></script>[a](https://x.example)', '\\![a](https://x.example)\n'],
    ['<p title="a_b">c\nd</p>', '<p title="a&#95;b">c&#10;d</p>\n'],
    ['> <div onclick="x">a</div>', '> <div>a</div>\n'],
    ['- <div onclick="x">a</div>', '* <div>a</div>\n'],
    ['a[^1]\n\n[^1]: <div onclick="x">a</div>', 'a[^1]\n\n[^1]: <div>a</div>\n'],
    ['## a <b onclick="x">b', '## a <b>b\n'],
    ['`<b onclick="x">`', '`<b onclick="x">`\n'],
    ['<https://x.example>', '<https://x.example>\n'],
  ])('%j becomes %j', (markdown, cleaned) => {
    expect(clean(markdown)).toBe(cleaned);
  });

  test('in a block are escaped so that nothing inside is parsed as Markdown', () => {
    const special = '&amp;&lt;>"\'`*_[](){}!|~\\\u00a0';
    const cleaned = clean(`<p>${special}\ta\nb</p>`);
    expect(cleaned).toBe(
      `<p>${[...'&<>"\'`*_[](){}!|~\\\u00a0', '\t'].map((one) => `&#${one.charCodeAt(0)};`).join('')}a&#10;b</p>\n`,
    );
    expect(clean('<p>a\r\nb</p>')).toBe('<p>a&#10;b</p>\n');
  });

  test('keep the classes that are allowed', () => {
    const keeps = (name: string) => name === 'note';
    expect(clean('a <b class="note x">b</b>', keeps)).toBe('a <b class="note">b</b>\n');
    expect(clean('<div class="note x">b</div>', keeps)).toBe('<div class="note">b</div>\n');
    expect(clean('<div class="note">b</div>')).toBe('<div>b</div>\n');
  });
});

describe('Markdown that takes too long to parse or does not become stable', () => {
  test('has every tag and every unsafe link escaped, also in code', () => {
    const long = 'a'.repeat(100_001);
    expect(clean(`<b>[a](x:y)[c]:  x:z [d](/e) \`<i>\`\n${long}`)).toBe(
      `&lt;b>[a&#93;(x:y)[c&#93;:  x:z [d](/e) \`&lt;i>\`\n${long}`,
    );
  });

  test('is escaped after five rounds', () => {
    let rounds = 0;
    const restless = createMarkdownSanitizer(packages, {
      ...html,
      sanitizeHtml: () => {
        rounds += 1;
        return `<p>${rounds}</p>`;
      },
    });
    expect(restless('<p>a</p>')).toBe('&lt;p>a&lt;/p>');
    expect(rounds).toBe(5);
  });

  test('is escaped after a stack overflow, but not after other errors', () => {
    const failing = (error: Error) =>
      createMarkdownSanitizer(packages, {
        ...html,
        sanitizeHtml: () => {
          throw error;
        },
      });
    expect(failing(new RangeError('stack'))('<p>a</p>')).toBe('&lt;p>a&lt;/p>');
    expect(() => failing(new TypeError('broken'))('<p>a</p>')).toThrow('broken');
  });
});
