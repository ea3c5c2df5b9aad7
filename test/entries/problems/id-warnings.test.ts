import { expect, test } from 'vitest';
import { idFindings } from '../../../src/entries/problems/id-warnings.ts';
import { ID_PREFIX, prefixedId } from '../../../src/entries/sanitize/id-prefix.ts';

test('ids whose pages can be built and linked to are not mentioned', () => {
  expect(idFindings('posts', ['a', 'b-c', '市場'], 1)).toEqual([]);
  expect(idFindings('posts', ['a/b', 'c'], 2)).toEqual([]);
});

test('ids with characters that mean something else in a URL make one warning', () => {
  expect(idFindings('posts', ['a#b'], 1)).toEqual([
    {
      key: 'posts with "#", "?" or "%", which have a meaning of their own in URLs: such pages cannot be linked to, or built',
      line: 'posts: 1 entry has an id with "#", "?" or "%", which have a meaning of their own in URLs: such pages cannot be linked to, or built: "a#b". Correct the field in the entry, or make the ids in code: `id: (item) => …`',
    },
  ]);
  const [finding, ...others] = idFindings('posts', ['#', 'b', '?', 'c', '%', 'd', 'e#'], 1);
  expect(others).toEqual([]);
  expect(finding?.line).toContain('posts: 4 entries have ids with "#"');
  expect(finding?.line).toContain('built: "#", "?", "%", and 1 more. Correct');
});

test('ids with more segments than the routes take make one warning', () => {
  expect(idFindings('posts', ['a', 'b/c'], 1)).toEqual([
    {
      key: 'posts with "/", which no route of the site takes: `[id].astro` fails with "Missing parameter"',
      line: 'posts: 1 entry has an id with "/", which no route of the site takes: `[id].astro` fails with "Missing parameter": "b/c". Name the route `[...id].astro`',
    },
  ]);
  expect(idFindings('posts', ['a/b', 'a/b/c'], 2)[0]?.line).toContain('1 entry has an id with "/"');
});

test('an id is shown on one line, at most 80 characters of it', () => {
  const [finding] = idFindings('posts', [`#\u001b[2J${'x'.repeat(200)}`], 1);
  expect(finding?.line).toContain(`"#\\u001b[2J${'x'.repeat(60)}`);
  expect(finding?.line).not.toContain('x'.repeat(80));
});

test('an id of a sanitized text has the prefix once', () => {
  expect(ID_PREFIX).toBe('user-content-');
  expect(prefixedId('a')).toBe('user-content-a');
  expect(prefixedId(prefixedId('a'))).toBe('user-content-a');
  expect(prefixedId('a-user-content-')).toBe('user-content-a-user-content-');
});
