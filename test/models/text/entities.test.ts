import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { decodeEntities, ENTITIES } from '../../../src/models/text/entities.ts';

/** As an HTML parser decodes it. */
function parsed(html: string): string {
  const [node] = parseFragment(html).childNodes;
  return (node as DefaultTreeAdapterTypes.TextNode).value;
}

test('letters and punctuation that editors write as names are decoded', () => {
  expect(
    decodeEntities('Caf&eacute; &mdash; &Uuml;ber &ldquo;x&rdquo;&hellip; &#x20ac;&#49; &nbsp;&AMP;'),
  ).toBe('Café — Über “x”… €1 \u00a0&');
});

test('names of properties of objects stay as they are', () => {
  const text = '&constructor; &__proto__; &toString; &hasOwnProperty;';
  expect(decodeEntities(text)).toBe(text);
});

test('each name means the same to an HTML parser, and all of Latin-1 have one', () => {
  const names = [...ENTITIES.keys()].map((name) => `&${name};`);
  expect(names.map(decodeEntities)).toEqual(names.map(parsed));
  expect([...ENTITIES.values()].filter((character) => /[\u00a0-\u00ff]/.test(character))).toHaveLength(96);
});

test('codes of Windows-1252 mean the same as to an HTML parser', () => {
  const codes = Array.from({ length: 0x20 }, (_, index) => 0x80 + index);
  const references = codes.flatMap((code) => [`&#${code};`, `&#x${code.toString(16)};`]);
  expect(references.map(decodeEntities)).toEqual(references.map(parsed));
  expect(decodeEntities('It&#146;s 1&#150;2 &#x80;')).toBe('It’s 1–2 €');
});

test.each([
  '0',
  '1',
  '127',
  '160',
  '55295',
  '55296',
  '57343',
  '57344',
  '65533',
  '1114111',
  '1114112',
  '9'.repeat(400),
])('the code %s means the same as to an HTML parser', (code) => {
  expect(decodeEntities(`a&#${code};b`)).toBe(parsed(`a&#${code};b`));
});

test.each(['&#;', '&#x;', '&#af;', '&#xg;', '& amp;', '&amp'])('%j is not a reference', (text) => {
  expect(decodeEntities(text)).toBe(text);
});
