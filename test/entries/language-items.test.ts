import { describe, expect, test } from 'vitest';
import { wire } from '../models/content.ts';
import { itemsInLanguage, itemsWithoutLanguage } from './test-language-items.ts';

const inMain = [1, 2].map((id) => wire('article', { title: `ja ${id}` }, id));
const inEnglish = [2, 3].map((id) => wire('article', { title: `en ${id}` }, id));
const titles = (items: Iterable<object>) => [...items].map((item) => (item as { title: string }).title);

describe('one language', () => {
  test('has its own items only', () => {
    const languageItems = itemsInLanguage('en', inEnglish);
    expect(languageItems.lang).toBe('en');
    expect(titles(languageItems.values())).toEqual(['en 2', 'en 3']);
    expect(languageItems.get(2)).toBe(inEnglish[0]);
    expect(languageItems.get(1)).toBeUndefined();
    expect([1, 2].map(languageItems.isFallback)).toEqual([false, false]);
  });

  test('is undefined if the space has no languages', () => {
    expect(itemsWithoutLanguage(...inMain).lang).toBeUndefined();
  });
});

describe('a language with fallback to the main one', () => {
  const languageItems = itemsInLanguage('en', inEnglish, inMain);

  test('has an item in its own language if it exists, otherwise in the main one', () => {
    expect(languageItems.lang).toBe('en');
    expect(languageItems.get(1)).toBe(inMain[0]);
    expect(languageItems.get(2)).toBe(inEnglish[0]);
    expect(languageItems.get(3)).toBe(inEnglish[1]);
    expect(languageItems.get(4)).toBeUndefined();
  });

  test('has each item once', () => {
    expect(titles(languageItems.values())).toEqual(['en 2', 'en 3', 'ja 1']);
  });

  test('knows which items are in the main language', () => {
    expect([1, 2, 3, 4].map(languageItems.isFallback)).toEqual([true, false, false, false]);
  });
});

test('a language knows which ids are those of content of undeclared models', () => {
  for (const languageItems of [itemsInLanguage('en', inEnglish), itemsInLanguage('en', inEnglish, inMain)])
    expect([77, 2, 79].map(languageItems.isUndeclared)).toEqual([true, false, false]);
});
