import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/entries/render-html.ts';
import { openTextSanitizer } from '../../src/entries/sanitize/sanitize-text.ts';
import { findActiveContent } from './active-content.ts';
import { renderMarkdown } from './loader-context.ts';

const { sanitizerFor } = await openTextSanitizer(new Set(['html', 'markdown']));
const sanitizers = { html: sanitizerFor('html'), markdown: sanitizerFor('markdown') };

const RUNS = Number(process.env.SECURITY_RUNS ?? 400);

const name = fc.constantFrom(
  ...'a b p h2 div li td table tr ul img br pre code svg math style script template noscript title'.split(
    ' ',
  ),
  ...'textarea select option form button iframe object mtext mglyph annotation-xml foreignObject desc'.split(
    ' ',
  ),
  ...'plaintext xmp x-a caption colgroup marquee nobr font center details summary input'.split(' '),
);
const value = fc.oneof(
  fc.constantFrom('javascript:x', ' java\tscript:x', 'https://x.example', '/a', 'data:text/html,x', 'x', ''),
  fc.constantFrom('<h2 onclick=x >a</h2>', '"><script>', '</style>', '-->', '\n\n<img src=x onerror=y>', '`'),
  fc.constantFrom(
    'color:red',
    'position:fixed',
    'color:red;background:url(x)',
    '[a](javascript:x)',
    '|',
    '&quot;',
  ),
);
const attribute = fc
  .tuple(
    fc.constantFrom(
      'href',
      'src',
      'onclick',
      'ONERROR',
      'style',
      'title',
      'id',
      'name',
      'srcdoc',
      'xlink:href',
      'class',
      'data-x',
      'alt',
      'srcset',
      '<',
      '"',
      '=',
    ),
    value,
    fc.constantFrom('"', "'", ''),
  )
  .map(([key, text, quote]) => ` ${key}=${quote}${text}${quote}`);
const piece = fc.oneof(
  fc
    .tuple(name, fc.array(attribute, { maxLength: 3 }))
    .map(([tag, attributes]) => `<${tag}${attributes.join('')}>`),
  name.map((tag) => `</${tag}>`),
  fc.constantFrom(
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?x',
    '<!x>',
    '<',
    '>',
    '&',
    '&lt;',
    '&#60;',
    '\0',
    '\n',
  ),
  fc.constantFrom('a', ' ', 'text', '"', "'", '<scr', 'ipt>', '\r\n', '\u00a0'),
);
const html = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

const mark = fc.constantFrom(
  ...[
    '*',
    '**',
    '_',
    '`',
    '``',
    '```\n',
    '~~~\n',
    '\n',
    '\n\n',
    '    ',
    '\t',
    '> ',
    '- ',
    '1. ',
    '# ',
    '|',
    '\n|-|-|\n',
  ],
  ...[
    '[',
    ']',
    '](',
    ')',
    '![',
    '[a]: ',
    '[a]',
    '[^1]',
    '[^1]: ',
    '<',
    '>',
    '\\',
    '&colon;',
    '&#58;',
    '---\n',
    '===',
  ],
  ...[
    'javascript:x',
    '<javascript:x>',
    '(javascript:x)',
    'https://x.example',
    ' "t"',
    'www.x.example',
    '~~',
    '- [ ] ',
  ],
);
const markdown = fc.array(fc.oneof(mark, mark, piece), { maxLength: 25 }).map((pieces) => pieces.join(''));

test('sanitized HTML has no active content, with anchors too, and sanitizing it again changes nothing', () => {
  fc.assert(
    fc.property(html, (text) => {
      const sanitized = sanitizers.html(text);
      expect(findActiveContent(sanitized)).toEqual([]);
      expect(findActiveContent(renderHtml(sanitized).html)).toEqual([]);
      expect(sanitizers.html(sanitized)).toBe(sanitized);
    }),
    { numRuns: 5 * RUNS },
  );
});

test('sanitized Markdown renders to no active content, and sanitizing it again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(markdown, async (text) => {
      const sanitized = sanitizers.markdown(text);
      const renderings = [
        marked.parse(sanitized) as string,
        marked.parse(sanitized, { gfm: false }) as string,
        (await renderMarkdown(sanitized)).html,
      ];
      for (const html of renderings) expect(findActiveContent(html)).toEqual([]);
      expect(sanitizers.markdown(sanitized)).toBe(sanitized);
    }),
    { numRuns: RUNS },
  );
});
