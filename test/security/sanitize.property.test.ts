import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/entries/render-html.ts';
import { openTextSanitizer } from '../../src/entries/sanitize/sanitize-text.ts';
import { randomRuns } from '../support/random-runs.ts';
import { findActiveContent } from './active-content.ts';
import { renderMarkdown } from './loader-context.ts';
import { htmlPiece, randomHtml } from './random-html.ts';

const { sanitizerFor } = await openTextSanitizer(new Set(['html', 'markdown']));
const sanitizers = { html: sanitizerFor('html'), markdown: sanitizerFor('markdown') };

const RUNS = randomRuns(150);

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
const markdown = fc
  .array(fc.oneof(mark, mark, htmlPiece), { maxLength: 25 })
  .map((pieces) => pieces.join(''));

test('sanitized HTML has no active content, with anchors too, and sanitizing it again changes nothing', () => {
  fc.assert(
    fc.property(randomHtml, (text) => {
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
