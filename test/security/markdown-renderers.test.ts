import { marked } from 'marked';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { beforeAll, describe, expect, test } from 'vitest';
// These come with Astro and its documentation theme.
import { createMarkdownProcessor } from '../../node_modules/@astrojs/markdown-remark/dist/index.js';
import { createHtmlSanitizer } from '../../src/entries/sanitize/sanitize-html.ts';
import { createMarkdownSanitizer } from '../../src/entries/sanitize/sanitize-markdown.ts';
import { loadHtmlPackages, loadMarkdownPackages } from '../../src/entries/sanitize/sanitize-packages.ts';
import { findActiveContent } from './active-content.ts';
import { renderMarkdown } from './loader-context.ts';

let sanitize: (markdown: string) => string;
let astroRemark: Awaited<ReturnType<typeof createMarkdownProcessor>>;
beforeAll(async () => {
  const html = createHtmlSanitizer(await loadHtmlPackages());
  sanitize = createMarkdownSanitizer(await loadMarkdownPackages(), html);
  astroRemark = await createMarkdownProcessor({ syntaxHighlight: false, smartypants: false });
});

/** They pass raw HTML on. */
const RENDERERS: Record<string, (markdown: string) => string | Promise<string>> = {
  marked: (markdown) => marked.parse(markdown),
  'marked without GFM': (markdown) => marked.parse(markdown, { gfm: false }),
  'marked after remark': (markdown) => marked.parse(String(remark().use(remarkGfm).processSync(markdown))),
  'the renderer of Astro 7': async (markdown) => (await renderMarkdown(markdown)).html,
  'the renderer of Astro 6': async (markdown) => (await astroRemark.render(markdown)).code,
};

const TAG = '<img src=x onerror=alert(1)>';
const REFERENCE = TAG.replace('<', '&lt;');

/** Markdown in which the tag is text for every renderer above. */
const ESCAPED: readonly string[] = [
  `\\${TAG}`,
  `a \\${TAG} b`,
  `a ${REFERENCE} \\<b> c`,
  `*\\${TAG}*`,
  `**a\\${TAG}**\\<`,
  `# \\${TAG}`,
  `> \\${TAG}`,
  `- \\${TAG}\n- \\<script>alert(1)\\</script>`,
  `\\\\\\${TAG}`,
  `[\\${TAG}](https://x.example)`,
  `![\\${TAG}](https://x.example/a.png)`,
  `[a](https://x.example "\\${TAG}")`,
  `[a][b]\n\n[b]: https://x.example '\\${TAG}'`,
  `1 < 2, \\<3, \\<!-- a --> \\<?php \\</p>`,
  `&amp;lt;img onerror=alert(1)> \\<b>`,
  `<b>a</b> \\${TAG} <i>b</i>`,
];

type Node = DefaultTreeAdapterTypes.Node;

/** What a reader sees: text, alternative texts and titles. */
function visibleText(html: string): string {
  const textOf = (node: Node): string => {
    if ('value' in node) return node.value;
    const own = 'attrs' in node ? node.attrs.filter(({ name }) => name === 'alt' || name === 'title') : [];
    const inner = 'childNodes' in node ? node.childNodes.map(textOf) : [];
    return [...own.map(({ value }) => `[${value}]`), ...inner].join('');
  };
  return textOf(parseFragment(html)).replaceAll(/\s+/g, ' ').trim();
}

describe.each(Object.entries(RENDERERS))('in %s, a tag that is text', (_name, render) => {
  test.each(ESCAPED)('is shown as before: %s', async (markdown) => {
    const html = await render(sanitize(markdown));
    expect(findActiveContent(html)).toEqual([]);
    expect(visibleText(html)).toBe(visibleText(await render(markdown)));
  });
});

/** The first Markdown and Showdown know no escape of `<`: for them a backslash is text, and a tag follows. */
test.each(ESCAPED)('is not active in a renderer that does not know the escape: %s', (markdown) => {
  expect(findActiveContent(sanitize(markdown))).toEqual([]);
});

test('a tag after a backslash is active in such a renderer, if it is not sanitized', () => {
  expect(findActiveContent(`\\${TAG}`)).toEqual(['onerror="alert(1)"']);
});
