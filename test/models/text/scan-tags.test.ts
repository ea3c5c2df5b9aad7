import { expect, test } from 'vitest';
import { scanTags } from '../../../src/models/text/scan-tags.ts';

const names = (html: string) => [...scanTags(html)].map(({ name }) => name);

test('start and end tags are found, with names in lower case', () => {
  expect(names('<P>a<br/><B>b</B></p>')).toEqual(['p', 'br', 'b', '/b', '/p']);
});

test('attributes have decoded values and positions', () => {
  const html = '<img SRC="a&amp;b" alt=x hidden>';
  const [tag] = scanTags(html);
  expect(tag?.attributes.map(({ name, value }) => [name, value])).toEqual([
    ['src', 'a&b'],
    ['alt', 'x'],
    ['hidden', ''],
  ]);
  expect(tag?.attributes.map(({ from, to }) => html.slice(from, to))).toEqual([
    'SRC="a&amp;b"',
    'alt=x',
    'hidden',
  ]);
  expect(html.slice(0, tag?.nameEnd)).toBe('<img');
});

test('comments, scripts and escaped text have no tags', () => {
  expect(names('<!-- <a> --><script>"<b>"</script>&lt;i&gt;<p>')).toEqual(['script', '/script', 'p']);
});

test('a tag that never ends is not a tag', () => {
  expect(names('<p>a<img src="x')).toEqual(['p']);
});
