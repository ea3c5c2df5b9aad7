import { expect, test } from 'vitest';
import { loadHtmlPackages, loadMarkdownPackages } from '../../src/entries/sanitize-packages.ts';

test('the packages that clean HTML and Markdown are loaded', async () => {
  const html = await loadHtmlPackages();
  expect(html.parse5.parseFragment).toBeTypeOf('function');
  expect(html.sanitizer.sanitize).toBeTypeOf('function');
  const markdown = await loadMarkdownPackages();
  expect(markdown.remark.remark).toBeTypeOf('function');
  expect(markdown.gfm.default).toBeTypeOf('function');
});
