import { expect, test } from 'vitest';
import { plainText } from '../../../src/models/text/plain-text.ts';

test('tags, comments and scripts are removed, and entities are decoded', () => {
  expect(plainText('<p>Fish &amp; <b>chips</b><!-- a > b --></p><script>x</script> &#8364;1')).toBe(
    'Fish & chips €1',
  );
});

test('a `>` in an attribute does not end the tag', () => {
  expect(plainText('a<img alt="1 > 0">b')).toBe('ab');
});

test('a bare `<` is text, and a tag that never ends is not', () => {
  expect(plainText('1 < 2, 3 <4 > a <img src="')).toBe('1 < 2, 3 <4 > a ');
});
