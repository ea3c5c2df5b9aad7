import { expect, test } from 'vitest';
import { ID_PREFIX, prefixedId } from '../../../src/entries/sanitize/id-prefix.ts';

test('an id gets the prefix once', () => {
  expect(ID_PREFIX).toBe('user-content-');
  expect(prefixedId('a')).toBe('user-content-a');
  expect(prefixedId(prefixedId('a'))).toBe('user-content-a');
  expect(prefixedId('a-user-content-')).toBe('user-content-a-user-content-');
});
