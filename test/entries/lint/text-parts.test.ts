import { expect, test } from 'vitest';
import { textParts } from '../../../src/entries/lint/text-parts.ts';

const MARKDOWN = [
  '# 港の朝 #',
  '[地図](/map "title") ![船](/boat.png)',
  '```md',
  '## in code',
  '[code](/code)',
  '```',
  '`[inline](/code)`',
  '~~~~',
  '~~~',
  '[still code](/code)',
  '~~~~',
  '### C #1 <a id="user-content-here"></a>',
].join('\r\n');

test('Markdown has headings, links, images and anchors, but none in code', () => {
  const { headings, links, images, urls, anchors } = textParts(MARKDOWN, 'markdown');
  expect(headings).toEqual([
    { depth: 1, text: '港の朝' },
    { depth: 3, text: 'C #1' },
  ]);
  expect(links).toEqual(['/map']);
  expect(images).toEqual([{ url: '/boat.png', alt: '船' }]);
  expect([...urls]).toEqual(['/map', '/boat.png']);
  expect([...anchors]).toEqual(['港の朝', 'here', 'c-1']);
});

test('a fence that is never closed is code to the end', () => {
  expect(textParts('a\n```\n# code\n[x](/y)', 'markdown')).toMatchObject({ headings: [], links: [] });
});

test('text without a format has only URLs', () => {
  const { headings, links, urls } = textParts('<h1>a</h1> https://a.example/b、http://c.example', 'text');
  expect([headings, links, [...urls]]).toEqual([[], [], ['https://a.example/b', 'http://c.example']]);
});

test.each([
  ['backticks', '`'.repeat(200_000)],
  ['fences of growing length', Array.from({ length: 600 }, (_, n) => '~'.repeat(n + 3)).join('\n')],
  ['blanks after a heading', `# ${' '.repeat(200_000)}x`],
  ['hashes after a heading', `# a ${'# '.repeat(100_000)}x`],
  ['brackets', '['.repeat(20_000)],
  ['blanks after a hash', `# a${' '.repeat(100_000)}#`],
])('%s are read in a time that grows with their length', (_, text) => {
  expect(textParts(text, 'markdown').links).toEqual([]);
});
