import { expect, test } from 'vitest';
import { schemaIssues } from '../../../src/entries/problems/schema-issues.ts';

test('the issues that Astro lists are read from its message', () => {
  const message = [
    'posts → tea data does not match collection schema.',
    '',
    '  **title**: Required',
    '  **seo.tags.0.name**:   Expected **string**: received number',
    '**a1.2b.10**: x',
    '**: nothing',
    'see **the docs**: here',
  ].join('\n');
  expect(schemaIssues(new Error(message))).toEqual([
    { path: ['title'], message: 'Required' },
    { path: ['seo', 'tags', 0, 'name'], message: 'Expected **string**: received number' },
    { path: ['a1', '2b', 10], message: 'x' },
  ]);
});

test('another message is one issue of the whole item', () => {
  expect(schemaIssues(new Error('broken\nin two lines'))).toEqual([
    { path: [], message: 'broken\nin two lines' },
  ]);
  expect(schemaIssues('a string')).toEqual([{ path: [], message: 'a string' }]);
  expect(schemaIssues(undefined)).toEqual([{ path: [], message: 'undefined' }]);
});
