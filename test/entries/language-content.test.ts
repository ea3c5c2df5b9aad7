import { describe, expect, test } from 'vitest';
import { checkLoaderOptions, type LoaderOptions } from '../../src/astro/collection/options/loader-options.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { languageContent, subLanguagesOf, usesLanguages } from '../../src/entries/language-content.ts';
import type { LanguageItems } from '../../src/entries/language-items.ts';
import { defineSpace, field } from '../../src/index.ts';
import { wire } from '../models/content.ts';

const models = { article: { title: field.text() } };
const space = defineSpace({ models, languages: { main: 'ja', sub: ['en', 'fr'] } });
const withoutLanguages = defineSpace({ models });
const planOf = (options: LoaderOptions = {}, { settings } = space) =>
  checkLoaderOptions(models, settings, 'article', options).rule;

const article = (id: number, title: string) => wire('article', { title }, id);

function replicaOf(
  items: readonly WireContent[],
  removed: readonly number[] = [],
): Parameters<typeof languageContent>[2]['main'] {
  return Object.assign(new Map(items.map((item) => [item._id, item])), { removed: new Set(removed) });
}

const replicas = {
  main: replicaOf([article(1, 'ja 1'), article(2, 'ja 2')], [70]),
  sub: new Map([
    ['en', replicaOf([article(2, 'en 2')], [71])],
    ['fr', replicaOf([])],
  ]),
};

const contentOf = (options: LoaderOptions, from = space, of = replicas) =>
  languageContent(from, planOf(options, from), of);

const titles = (items: LanguageItems | undefined) => [...(items?.values() ?? [])].map(({ title }) => title);
const undeclaredIn = (items: LanguageItems | undefined) =>
  [1, 2, 70, 71, 72].filter((id) => items?.isUndeclared(id));

describe('a collection uses languages', () => {
  test('with `lang` or `langs`, also for the main language alone', () => {
    expect(usesLanguages(planOf({ lang: 'en' }))).toBe(true);
    expect(usesLanguages(planOf({ lang: 'ja' }))).toBe(true);
    expect(usesLanguages(planOf({ langs: ['ja', 'en'] }))).toBe(true);
  });

  test('not without these options', () => {
    expect(usesLanguages(planOf())).toBe(false);
  });
});

describe('the sub-languages of a collection', () => {
  test('are all that the space declares, because `_langs` lists them', () => {
    expect(subLanguagesOf(space, planOf({ lang: 'en' }))).toEqual(['en', 'fr']);
    expect(subLanguagesOf(space, planOf({ lang: 'ja' }))).toEqual(['en', 'fr']);
  });

  test('are none if the collection does not use languages', () => {
    expect(subLanguagesOf(space, planOf())).toEqual([]);
  });

  test('are none if the space has no languages', () => {
    expect(subLanguagesOf(withoutLanguages, { lang: 'en', langs: undefined })).toEqual([]);
  });
});

describe('the content of a collection', () => {
  test('without languages is that of the main replica, without a language key', async () => {
    const content = await contentOf({}, withoutLanguages, { main: replicas.main, sub: new Map() });
    const [only, ...others] = content.languages;
    expect(others).toEqual([]);
    expect(only?.lang).toBeUndefined();
    expect(titles(only)).toEqual(['ja 1', 'ja 2']);
    expect(undeclaredIn(only)).toEqual([71, 72]);
    expect(content.langsOf).toBeUndefined();
  });

  test('is that of the main language if the options name none', async () => {
    const { languages } = await contentOf({});
    expect(languages.map((items) => [items.lang, titles(items)])).toEqual([[undefined, ['ja 1', 'ja 2']]]);
  });

  test('in a language that was not read is empty, or all of it falls back to the main one', async () => {
    const read = (fallback: boolean) =>
      languageContent(
        withoutLanguages,
        { lang: 'en', langs: undefined, fallback },
        { main: replicas.main, sub: new Map() },
      );
    const [alone] = (await read(false)).languages;
    expect([titles(alone), undeclaredIn(alone)]).toEqual([[], [71, 72]]);
    const [filled] = (await read(true)).languages;
    expect([titles(filled), undeclaredIn(filled)]).toEqual([
      ['ja 1', 'ja 2'],
      [71, 72],
    ]);
  });

  test('has one part per language of `langs`, in that order', async () => {
    const { languages } = await contentOf({ langs: ['fr', 'en', 'ja'] });
    expect(languages.map((items) => [items.lang, titles(items)])).toEqual([
      ['fr', []],
      ['en', ['en 2']],
      ['ja', ['ja 1', 'ja 2']],
    ]);
  });

  test('is of one language with `lang`: an id is undeclared if neither this nor the main language knows it', async () => {
    const { languages } = await contentOf({ lang: 'en' });
    expect(languages.map(titles)).toEqual([['en 2']]);
    expect(languages.map(undeclaredIn)).toEqual([[72]]);
  });

  test('with `fallback` includes items of the main language', async () => {
    const [english] = (await contentOf({ lang: 'en', fallback: true })).languages;
    expect(titles(english)).toEqual(['en 2', 'ja 1']);
    expect(english?.isFallback(1)).toBe(true);
    expect(english?.isFallback(2)).toBe(false);
    expect(undeclaredIn(english)).toEqual([72]);
  });

  test('lists the languages that an item has data in, the main language first', async () => {
    const { langsOf } = await contentOf({ lang: 'en', fallback: true });
    expect([1, 2, 3].map((id) => langsOf?.(id))).toEqual([['ja'], ['ja', 'en'], []]);
  });
});

describe('a reference from one language to another collection leads', () => {
  const targetOf = async (
    lang: string | undefined,
    target: LoaderOptions,
    own: LoaderOptions = { langs: ['ja', 'en'] },
  ) => {
    const items = (await contentOf(own)).targetItems(planOf(target), lang);
    return items && [items.lang, ...titles(items)];
  };

  test('to the same language, if that has several', async () => {
    expect(await targetOf('en', { langs: ['fr', 'en'] })).toEqual(['en', 'en 2']);
    expect(await targetOf('ja', { langs: ['fr', 'en'] })).toBeUndefined();
    expect(await targetOf(undefined, { langs: ['ja', 'en'] }, {})).toEqual(['ja', 'ja 1', 'ja 2']);
  });

  test('to the only language that it has', async () => {
    expect(await targetOf('en', {})).toEqual([undefined, 'ja 1', 'ja 2']);
    expect(await targetOf('ja', { lang: 'en' })).toEqual(['en', 'en 2']);
  });

  test('to the main language only where that falls back to it', async () => {
    expect(await targetOf('en', { langs: ['en'], fallback: true })).toEqual(['en', 'en 2', 'ja 1']);
    expect(await targetOf('en', { langs: ['en'] }, { lang: 'en', fallback: true })).toEqual(['en', 'en 2']);
  });
});
