import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/entries/render.ts';
import { openTextCleaner } from '../../src/entries/sanitize/clean-text.ts';
import { findActiveContent } from './active-content.ts';
import { renderMarkdown } from './loader-context.ts';

const { cleanerFor } = await openTextCleaner(new Set(['html', 'markdown']));
const cleaners = { html: cleanerFor('html'), markdown: cleanerFor('markdown') };

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

test('whatever HTML is made of, once cleaned it holds nothing active, with anchors too, and stays as it is', () => {
  fc.assert(
    fc.property(html, (text) => {
      const clean = cleaners.html(text);
      expect(findActiveContent(clean)).toEqual([]);
      expect(findActiveContent(renderHtml(clean).html)).toEqual([]);
      expect(cleaners.html(clean)).toBe(clean);
    }),
    { numRuns: 5 * RUNS },
  );
});

test('whatever Markdown is made of, once cleaned it renders to nothing active, and stays as it is', async () => {
  await fc.assert(
    fc.asyncProperty(markdown, async (text) => {
      const clean = cleaners.markdown(text);
      const readings = [
        marked.parse(clean) as string,
        marked.parse(clean, { gfm: false }) as string,
        (await renderMarkdown(clean)).html,
      ];
      for (const reading of readings) expect(findActiveContent(reading)).toEqual([]);
      expect(cleaners.markdown(clean)).toBe(clean);
    }),
    { numRuns: RUNS },
  );
});
