import { describe, expect, test } from 'vitest';
import { wire } from '../models/content.ts';
import { corpusIn, corpusOf } from './test-language-items.ts';

const inMain = [1, 2].map((id) => wire('article', { title: `ja ${id}` }, id));
const inEnglish = [2, 3].map((id) => wire('article', { title: `en ${id}` }, id));
const titles = (items: Iterable<object>) => [...items].map((item) => (item as { title: string }).title);

describe('one language', () => {
  test('has its own items alone', () => {
    const corpus = corpusIn('en', inEnglish);
    expect(corpus.lang).toBe('en');
    expect(titles(corpus.values())).toEqual(['en 2', 'en 3']);
    expect(corpus.get(2)).toBe(inEnglish[0]);
    expect(corpus.get(1)).toBeUndefined();
    expect([1, 2].map(corpus.isFallback)).toEqual([false, false]);
  });

  test('has no name where the space has no languages', () => {
    expect(corpusOf(...inMain).lang).toBeUndefined();
  });
});

describe('a language that is filled from the main one', () => {
  const corpus = corpusIn('en', inEnglish, inMain);

  test('shows an item in its own language where it has it, else in the main one', () => {
    expect(corpus.lang).toBe('en');
    expect(corpus.get(1)).toBe(inMain[0]);
    expect(corpus.get(2)).toBe(inEnglish[0]);
    expect(corpus.get(3)).toBe(inEnglish[1]);
    expect(corpus.get(4)).toBeUndefined();
  });

  test('has each item once', () => {
    expect(titles(corpus.values())).toEqual(['en 2', 'en 3', 'ja 1']);
  });

  test('knows which items are shown in the main language', () => {
    expect([1, 2, 3, 4].map(corpus.isFallback)).toEqual([true, false, false, false]);
  });
});
