import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadHtmlPackages, loadMarkdownPackages } from '../../../src/entries/sanitize/sanitize-packages.ts';
import { LuidConfigError } from '../../../src/index.ts';

const NAMES = ['parse5', 'hast-util-sanitize', 'remark', 'remark-gfm'];
afterEach(() => {
  for (const name of NAMES) vi.doUnmock(name);
});

test('the packages that sanitize HTML and Markdown are loaded', async () => {
  const html = await loadHtmlPackages();
  expect(html.parse5.parseFragment).toBeTypeOf('function');
  expect(html.sanitizer.sanitize).toBeTypeOf('function');
  const markdown = await loadMarkdownPackages();
  expect(markdown.remark.remark).toBeTypeOf('function');
  expect(markdown.gfm.default).toBeTypeOf('function');
});

const HTML = {
  message: expect.stringMatching(/^`sanitize` needs parse5 and hast-util-sanitize, which cannot be loaded\n/),
  hint: 'npm install parse5 hast-util-sanitize',
};
const MARKDOWN = {
  message: expect.stringMatching(/^`sanitize` needs remark and remark-gfm, which cannot be loaded\n/),
  hint: 'npm install remark remark-gfm',
};
const refusal = (load: () => Promise<unknown>) =>
  load().then(
    () => undefined,
    (error: unknown) => error as LuidConfigError,
  );

describe('a package that is not installed is named with the command to install it', () => {
  test.each([
    ['parse5', loadHtmlPackages, HTML],
    ['hast-util-sanitize', loadHtmlPackages, HTML],
    ['remark', loadMarkdownPackages, MARKDOWN],
    ['remark-gfm', loadMarkdownPackages, MARKDOWN],
  ])('%s', async (name, load, expected) => {
    vi.doMock(name, () => {
      throw new Error(`Cannot find package ${name}`);
    });
    const error = await refusal(load);
    expect(error).toBeInstanceOf(LuidConfigError);
    expect(error).toMatchObject(expected);
    expect(error?.cause).toBeInstanceOf(Error);
  });
});

describe('a package that a bundler replaced by an empty module is reported as missing', () => {
  test.each([
    ['parse5', 'parseFragment', loadHtmlPackages, HTML],
    ['hast-util-sanitize', 'sanitize', loadHtmlPackages, HTML],
    ['remark', 'remark', loadMarkdownPackages, MARKDOWN],
    ['remark-gfm', 'default', loadMarkdownPackages, MARKDOWN],
  ])('%s', async (name, exported, load, expected) => {
    vi.doMock(name, () => ({ [exported]: undefined }));
    const error = await refusal(load);
    expect(error).toMatchObject(expected);
    expect(error?.cause).toBeUndefined();
  });
});
