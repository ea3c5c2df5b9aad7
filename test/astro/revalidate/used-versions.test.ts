import { expect, test } from 'vitest';
import { ANY_TAG, LiveSources, type RequestVersions } from '../../../src/astro/live/live-sources.ts';
import { UsedVersions } from '../../../src/astro/revalidate/used-versions.ts';
import { TestSource } from './test-source.ts';

function begin() {
  const sources = new LiveSources();
  const source = new TestSource();
  sources.add(source);
  source.change('a');
  const pinned: RequestVersions = new Map();
  return { sources, source, pinned, used: new UsedVersions(sources, pinned) };
}

test('tags are outdated if their content changed after the request began', () => {
  const { source, pinned, used } = begin();
  pinned.set(source, 'a snapshot');
  expect(used.outdated(['a', 'b', 'c'])).toEqual([]);
  source.change('b', 'x');
  expect(used.outdated(['a', 'b', 'c'])).toEqual(['b']);
});

test('a version with its number is compared exactly', () => {
  const { source, pinned, used } = begin();
  source.change('b');
  pinned.set(source, { version: 2 });
  expect(used.outdated(['a', 'b', 'c'])).toEqual([]);
  source.change('c');
  expect(used.outdated(['a', 'b', 'c'])).toEqual(['c']);
});

test('all tags are outdated if it is not known any more what changed after the request began', () => {
  const { source, pinned, used } = begin();
  pinned.set(source, { version: 1 });
  source.change(ANY_TAG, 'b');
  expect(used.outdated(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
});

test('a source that the request did not use outdates nothing', () => {
  const { source, used } = begin();
  source.change('b');
  expect(used.outdated(['b'])).toEqual([]);
});

test('a source that was added during the request outdates what changed since it was added', () => {
  const { sources, pinned, used } = begin();
  const late = new TestSource();
  sources.add(late);
  pinned.set(late, {});
  late.change('b');
  expect(used.outdated(['a', 'b'])).toEqual(['b']);
});
