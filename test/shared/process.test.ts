import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { sharedExpression, shareInProcess } from '../../src/shared/process.ts';

test('a value is created once per process and name', () => {
  const first = shareInProcess('test', () => ({ created: 1 }));
  expect(shareInProcess('test', () => ({ created: 2 }))).toBe(first);
  expect(shareInProcess('other test', () => ({ created: 3 }))).toEqual({ created: 3 });
});

test('generated code reads the same value', () => {
  const value = shareInProcess('test', () => ({ created: 1 }));
  expect(runInThisContext(sharedExpression('test'))).toBe(value);
});
