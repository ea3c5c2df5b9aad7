import { describe, expect, test } from 'vitest';
import { markdownImageUrls } from '../../src/images/markdown-images.ts';
import { imageUrlsIn } from '../../src/images/responsive-images.ts';
import { renderMarkdown } from '../security/loader-context.ts';

const assets = 'https://assets.example';

describe('the images in Markdown are found with the URLs that Astro renders', () => {
  test.each([
    `![a](${assets}/a.jpg)`,
    `![](${assets}/a.jpg 'title')`,
    `![a](  ${assets}/a.jpg\n"title" )`,
    `![a](${assets}/photo%20(1).jpg)`,
    `![a](${assets}/(a)(b)c.jpg "(t)")`,
    `![a](${assets}/\\(a.jpg)`,
    `![a](<${assets}/my photo.jpg>)`,
    `![a](<${assets}/50%25 (off.jpg> "t")`,
    `![a](<${assets}/a\\>b.jpg>)`,
    `![a](${assets}/a[1]{2}|^.jpg)`,
    `![a](${assets}/港.jpg)`,
    `![a](${assets}/a.jpg?a=1&amp;b=2&#38;c=3)`,
    `![two\nwords](${assets}/a.jpg)`,
    `![see [1]](${assets}/a.jpg)`,
    `![see \\] this](${assets}/a.jpg)`,
    `[ ![a](${assets}/a.jpg) and ![b](${assets}/b.jpg)`,
    `[![a](${assets}/a.jpg)](https://link.example)`,
    `![a][one]\n\n[one]: ${assets}/a.jpg 'title'`,
    `![a][ONE\ntwo]\n\n[one   two]:\n  <${assets}/my photo.jpg>\n[one two]: ${assets}/not.jpg`,
    `![one][]\n\n[one]: ${assets}/a_(1).jpg`,
    `![one]\n\n> [one]: ${assets}/a.jpg`,
    `![a][1] ![b][2]\n\n[1]: ${assets}/a.jpg\n[2]: ${assets}/b.jpg`,
  ])('%j', async (markdown) => {
    const found = markdownImageUrls(markdown).map((url) => new URL(url).href);
    expect(found).toEqual(imageUrlsIn((await renderMarkdown(markdown)).html, assets));
    expect(found.length).toBeGreaterThan(0);
  });

  test.each([
    `[a](${assets}/a.jpg)`,
    `!\\[a](${assets}/a.jpg)`,
    `\\![a](${assets}/a.jpg)`,
    `![a](${assets}/unclosed(a.jpg)`,
    `![a](${assets}/unclosed(a.jpg)\n\ntext`,
    `![a](<${assets}/a.jpg)`,
    `![a][none]\n\n[one]: ${assets}/a.jpg`,
    `![a [one]]\n\n[one]: ${assets}/a.jpg`,
    '![a] (b) ![ ![](',
    ']]]',
  ])('and not in %j', async (markdown) => {
    expect(markdownImageUrls(markdown)).toEqual([]);
    expect(imageUrlsIn((await renderMarkdown(markdown)).html, assets)).toEqual([]);
  });
});

test.each([
  '![',
  '![](',
  '![](a',
  '![](<',
  '![](\\(',
  '![](((',
  '![](a(b)',
  '![](a)b',
  '![]((a)\\)',
  '![][',
  '![][a',
  '[a]:',
  '\n[a',
  '\n[a]: ',
  '\n>',
  ']',
  '![a]',
  '\\',
  ' ',
])('hostile Markdown of repeated %j takes linear time', (part) => {
  // Quadratic time would be many minutes.
  for (const text of [part.repeat(100_000), `[a]: b\n${part.repeat(100_000)}${']'.repeat(100_000)}`]) {
    expect(markdownImageUrls(text).length).toBeLessThanOrEqual(200_000);
  }
});
