import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { findTranslations } from '../../scripts/docs/translations.mjs';
import { blocksOf, DOCUMENTS, JAPANESE_PAGES, PAGES, textOf } from './documents.ts';
import { linksIn, prose } from './links.ts';

const TRANSLATIONS = findTranslations();

test('the README, the start and the guides are translated', () => {
  const pages = PAGES.filter((page) => /^docs\/(?:README|start|guides)/.test(page));
  const sources = TRANSLATIONS.map(({ source }) => source);
  expect(['README.md', ...pages].filter((page) => !sources.includes(page))).toEqual([]);
  for (const { document, lags } of TRANSLATIONS) if (lags) console.log(`${document} lags behind its English`);
});

test.each(TRANSLATIONS)('$document names the document that it was made from', ({ source }) => {
  expect(DOCUMENTS).toContain(source);
});

// What lags behind may have other code until somebody translates it again.
test.each(TRANSLATIONS.filter(({ lags }) => !lags))(
  '$document has the code of $source',
  ({ document, source }) => {
    const codes = (name: string) => blocksOf(name).map(({ code }) => code);
    const translated = codes(document);
    const original = codes(source ?? '');
    expect(original.slice(0, translated.length)).toEqual(translated);
    // The README leaves out what is about working in the repository.
    if (source !== 'README.md') expect(translated.length).toBe(original.length);
  },
);

test.each(TRANSLATIONS)('$document links to the Japanese of what is translated', ({ document, source }) => {
  const translated = new Map(TRANSLATIONS.map((other) => [other.source, other.document]));
  const english = linksIn(prose(textOf(document))).filter(({ path }) => {
    const target = posix.join(posix.dirname(document), path);
    return target !== source && translated.has(target);
  });
  expect(english.map(({ link }) => link)).toEqual([]);
});

test('the first page in Japanese and that of the guides lead to all others', () => {
  const indexes = ['docs/ja/README.md', 'docs/ja/guides/README.md'];
  const linked = indexes.flatMap((index) =>
    linksIn(textOf(index)).map(({ path }) => posix.join(posix.dirname(index), path)),
  );
  const pages = JAPANESE_PAGES.filter((page) => page !== 'docs/ja/README.md');
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

test.each(TRANSLATIONS)('$document is in polite sentences', ({ document }) => {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, '');
  expect(prose).toMatch(/(?:です|ます)。/);
  expect(prose.match(/(?<![のでま])(?:である|だった|した|する)。/g) ?? []).toEqual([]);
});
