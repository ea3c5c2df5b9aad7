import { expect, test } from 'vitest';
import { doubtAbout } from '../../../../src/emulator/studio/page/editor/model/doubts.ts';
import type { StudioField } from '../../../../src/emulator/studio/studio-types.ts';

const FIELDS = [
  { luid: 'title', required: true },
  { luid: 'tags', required: true },
  { luid: 'lead' },
] as StudioField[];
const complete = { title: 'T', tags: ['a'] };

test('a draft is discarded only after a question', () => {
  expect(doubtAbout('discard', { draft: { ja: complete } }, FIELDS)?.text).toContain(
    'cannot be brought back',
  );
});

test('publishing names the required fields that are empty, with what the service does about them', () => {
  const doubt = doubtAbout('publish', { draft: { ja: { title: '', tags: [], lead: '' } } }, FIELDS);
  expect(doubt?.text).toMatch(/^title, tags: required, and empty\. .* the studio publishes it\. A site/);
});

test('each language is named that lacks a field', () => {
  const item = { published: { ja: complete, en: complete }, draft: { en: { tags: ['a'] } } };
  expect(doubtAbout('publish', item, FIELDS)?.text).toMatch(/^title \(en\): required/);
});

test('what is complete is published without a question, and other actions have none', () => {
  expect(doubtAbout('publish', { draft: { ja: complete } }, FIELDS)).toBeUndefined();
  expect(doubtAbout('archive', { draft: { ja: {} } }, FIELDS)).toBeUndefined();
  expect(doubtAbout('draft', { draft: { ja: {} } }, FIELDS)).toBeUndefined();
});
