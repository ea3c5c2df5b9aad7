import { describe, expect, test } from 'vitest';
import { checkElementName } from '../../../../src/astro/components/rich-text/element-names.ts';
import { LuidConfigError } from '../../../../src/shared/errors.ts';

describe('checkElementName', () => {
  test.each(['a', 'h2', 'img', 'iframe', 'center', 'x-card', 'my-élément'])('accepts %s', (name) => {
    expect(() => checkElementName(name)).not.toThrow();
  });

  test.each([
    ['heading2', 'h2'],
    ['H2', 'h2'],
    ['image', 'img'],
    ['link', 'a'],
    ['blockqoute', 'blockquote'],
    ['paragraph', 'p'],
    ['list-Item', 'li'],
    ['tabel', 'table'],
    ['figuer', 'figure'],
  ])('rejects %s, and suggests %s', (name, suggestion) => {
    const check = () => checkElementName(name);
    expect(check).toThrow(LuidConfigError);
    expect(check).toThrow(`"${name}", which is not an element of a text\n  → Did you mean '${suggestion}'?`);
  });

  test.each(['script', 'style', 'template', 'svg', 'noscript'])(
    'rejects %s, whose content is not HTML',
    (name) => {
      expect(() => checkElementName(name)).toThrow(`RichText cannot render <${name}> with a component`);
    },
  );

  test('escapes what it prints', () => {
    expect(() => checkElementName('a\u001b[2J')).toThrow('"a\\u001b[2J"');
  });
});
