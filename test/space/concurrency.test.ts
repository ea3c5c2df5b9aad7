import { expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { until } from '../support/until.ts';

const EMPTY = { total: 0, offset: 0, limit: 100, data: [] };

test.each([
  ['published content, which the CDN serves', { drafts: false }, 64],
  ['drafts, which count towards the rate limit', { drafts: true }, 16],
])('lists of %s are requested in parallel, but not more than that many', async (_, options, most) => {
  const waiting: (() => void)[] = [];
  const space = defineSpace({
    baseUrl: 'https://parallel.test/v1',
    apiKey: 'published',
    draftApiKey: 'drafts',
    models: { note: { title: field.text() } },
    fetch: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json(EMPTY);
    },
  });
  const { contents } = space.client(options);
  const lists = Promise.all(Array.from({ length: 100 }, () => contents.list('note')));
  await until(() => waiting.length >= most);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(waiting).toHaveLength(most);
  let isDone = false;
  lists.then(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const release of waiting.splice(0)) release();
    await new Promise(setImmediate);
  }
});
