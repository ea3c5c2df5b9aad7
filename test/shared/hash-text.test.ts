import { expect, test } from 'vitest';
import { hashText } from '../../src/shared/hash-text.ts';

test('is equal for equal texts, on every machine', () => {
  expect(hashText('astro')).toBe(hashText(['as', 'tro'].join('')));
  expect(hashText('')).toMatchInlineSnapshot(`"1aggevgbi2j1247s7v64qa"`);
  expect(hashText('夕暮れの港')).toMatchInlineSnapshot(`"1g895gs14km1rtgoj4i4mk"`);
});

test('differs for texts that differ in one character, in their order or in their length', () => {
  const texts = [
    '',
    ' ',
    'a',
    'b',
    'ab',
    'ba',
    'aa',
    'aaa',
    'a\0',
    '\0a',
    'é',
    'e\u0301',
    '港',
    '\ud83d',
    '\ude00',
  ];
  expect(new Set(texts.map(hashText)).size).toBe(texts.length);
});

test('has no collisions among 20,000 similar texts', () => {
  const hashes = new Set(Array.from({ length: 20_000 }, (_, n) => hashText(`article ${n}`)));
  expect(hashes.size).toBe(20_000);
});

test('is a part of a cache tag: letters and digits only', () => {
  for (let n = 0; n < 1000; n++) expect(hashText(`${n},\n ${n}`)).toMatch(/^[0-9a-z]+$/);
});
