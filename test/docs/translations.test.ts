import { expect, test } from 'vitest';
import { findTranslations } from '../../scripts/docs/translations.mjs';
import { blocksOf, DOCUMENTS, textOf } from './documents.ts';

const TRANSLATIONS = findTranslations();

test('the README and the start are translated', () => {
  const sources = TRANSLATIONS.map(({ source }) => source);
  expect(sources).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/README.md',
      'docs/start/quick-start.md',
      'docs/start/install.md',
    ]),
  );
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

test.each(TRANSLATIONS)('$document is in polite sentences', ({ document }) => {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, '');
  expect(prose).toMatch(/(?:です|ます)。/);
  expect(prose.match(/(?<!の)(?:である|だった|した|する)。/g) ?? []).toEqual([]);
});
