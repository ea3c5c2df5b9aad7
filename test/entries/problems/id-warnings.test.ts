import { expect, test } from 'vitest';
import { idWarnings } from '../../../src/entries/problems/id-warnings.ts';

test('ids whose pages can be built and linked to cause no warning', () => {
  expect(idWarnings('posts', ['a', 'b-c', '市場'], 1)).toEqual([]);
  expect(idWarnings('posts', ['market/tea', 'c'], 2)).toEqual([]);
  expect(idWarnings('posts', ['a'], 0)).toEqual([]);
});

test('ids with characters that are reserved in URLs cause one warning', () => {
  expect(idWarnings('posts', ['a#b'], 1)).toEqual([
    {
      key: 'posts with "#", "?" or "%", which are reserved in URLs: such pages cannot be linked to or built',
      line: 'posts: 1 entry has an id with "#", "?" or "%", which are reserved in URLs: such pages cannot be linked to or built: "a#b". Correct the field, or compute the id: `id: (item) => …`',
    },
  ]);
  const [warning, ...others] = idWarnings('posts', ['#', 'b', '?', 'c', '%', 'd', 'e#'], 1);
  expect(others).toEqual([]);
  expect(warning?.line).toContain('posts: 4 entries have ids with "#"');
  expect(warning?.line).toContain('built: "#", "?", "%", and 1 more. Correct');
});

test('ids with more segments than the routes accept cause one warning', () => {
  expect(idWarnings('posts', ['a', 'b/c'], 1)).toEqual([
    {
      key: 'posts with "/", which no route of the site accepts: `[id].astro` fails with "Missing parameter"',
      line: 'posts: 1 entry has an id with "/", which no route of the site accepts: `[id].astro` fails with "Missing parameter": "b/c". Name the route `[...id].astro`',
    },
  ]);
  expect(idWarnings('posts', ['a/b', 'a/b/c'], 2)[0]?.line).toContain('1 entry has an id with "/"');
});

test('an id is printed on one line, at most 80 characters of it', () => {
  const [warning] = idWarnings('posts', [`#\u001b[2J${'x'.repeat(200)}`], 1);
  expect(warning?.line).toContain(`"#\\u001b[2J${'x'.repeat(60)}`);
  expect(warning?.line).not.toContain('x'.repeat(80));
});
