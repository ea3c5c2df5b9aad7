import { expect, test } from 'vitest';
import {
  ANY_TAG,
  LATE_TAG,
  outdatedTags,
  type RequestVersions,
} from '../../../src/astro/live/live-sources.ts';
import { TestSource } from './test-source.ts';

const TAGS = ['a', 'b', 'c'];

/** A request that has shown the first version of a source. */
function begin() {
  const source = new TestSource();
  source.change('a');
  const versions: RequestVersions = new Map([[source, { version: source.version }]]);
  return { source, versions };
}

test('tags are outdated if their content changed after the version that a request has shown', () => {
  const { source, versions } = begin();
  expect(outdatedTags(versions, TAGS)).toEqual([]);
  source.change('b', 'x');
  expect(outdatedTags(versions, TAGS)).toEqual(['b']);
});

test('all tags are outdated if it is not known any more what changed after the request began', () => {
  const { source, versions } = begin();
  source.change(ANY_TAG, 'b');
  expect(outdatedTags(versions, TAGS)).toEqual(TAGS);
});

test('a source that the request did not use outdates nothing', () => {
  const source = new TestSource();
  source.change('b');
  expect(outdatedTags(new Map(), TAGS)).toEqual([]);
});

test('a page that shows something that was not compared is outdated from the beginning', () => {
  const { versions } = begin();
  expect(outdatedTags(versions, [...TAGS, LATE_TAG])).toEqual([LATE_TAG]);
});
