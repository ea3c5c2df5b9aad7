import { expect, test } from 'vitest';
import { parseSchemaIssues } from '../../../src/entries/problems/schema-issues.ts';

test('the issues in a message of Astro are parsed', () => {
  const message = [
    'posts → tea data does not match collection schema.',
    '',
    '  **title**: Required',
    '  **seo.tags.0.name**:   Expected **string**: received number',
    '**a1.2b.10**: x',
    '**: nothing',
    'see **the docs**: here',
  ].join('\n');
  expect(parseSchemaIssues(new Error(message))).toEqual([
    { path: ['title'], message: 'Required' },
    { path: ['seo', 'tags', 0, 'name'], message: 'Expected **string**: received number' },
    { path: ['a1', '2b', 10], message: 'x' },
  ]);
});

test('any other message is one issue of the whole item', () => {
  expect(parseSchemaIssues(new Error('broken\nin two lines'))).toEqual([
    { path: [], message: 'broken\nin two lines' },
  ]);
  expect(parseSchemaIssues('a string')).toEqual([{ path: [], message: 'a string' }]);
  expect(parseSchemaIssues(undefined)).toEqual([{ path: [], message: 'undefined' }]);
});

test('a line that contains another kind of line break is not cut there', () => {
  const message = '**title**: one\u2028two';
  expect(parseSchemaIssues(new Error(message))).toEqual([{ path: [], message }]);
});
