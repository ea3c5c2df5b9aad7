import { describe, expect, test } from 'vitest';
import { articles, ENGLISH, JAPANESE, NOTES, numbers, openLargeSite } from './large-site.ts';

// The history of the main language has up to 2,000 items. Only it shows to English that an author without English was
// published.

const AUTHORS = 2001;

/** So many articles, of as many authors, which are drafts. Some have English. */
function open(count: number, hasEnglish: (id: number) => boolean) {
  const drafts = numbers(1, count).map((id) => {
    const english = hasEnglish(id) && { en: { name: `author ${id}` } };
    return { id, model: 'author', draft: { ja: { name: `著者 ${id}` }, ...english } };
  });
  const site = openLargeSite([...drafts, ...articles(count, (n) => ({ author: 1 + n }))]);
  let next = 1;
  return {
    ...site,
    publish: (some: number) => () => {
      for (let n = 0; n < some; n++) site.service.contents.publish(next++);
    },
  };
}

const BOTH = { japanese: JAPANESE, english: ENGLISH };

/** English is built, then the main language alone, once for each number, so many authors later. */
async function buildMainAfter(...published: number[]) {
  const site = open(AUTHORS, () => false);
  for (let n = 0; n < 2; n++) await site.build(BOTH);
  for (const count of published) await site.build({ notes: NOTES }, site.publish(count));
  return site;
}

describe('English is right after authors without English were published', () => {
  // A step counts as one item more.
  test.each([
    { published: [1999], inFull: false },
    { published: [2000], inFull: true },
    { published: [999, 999], inFull: false },
    { published: [999, 1000], inFull: true },
    { published: [2000, 1], inFull: true },
  ])('$published at once, and is read in full: $inFull', async ({ published, inFull }) => {
    const site = await buildMainAfter(...published);
    const built = await site.build(BOTH);
    expect(site.hasReadInFull('en')).toBe(inFull);
    expect(await site.wrongIn(built, BOTH)).toEqual([]);
  });
});

test('English that knows the first part of a history needs only what follows', async () => {
  const site = await buildMainAfter(900);
  await site.build(BOTH);
  await site.build({ notes: NOTES }, site.publish(900));
  // The first part is dropped.
  await site.build({ notes: NOTES }, site.publish(200));
  const built = await site.build(BOTH);
  expect(site.hasReadInFull('en')).toBe(false);
  expect(await site.wrongIn(built, BOTH)).toEqual([]);
});

test('English is right after more authors were published than fit in a request, some with English', async () => {
  const site = open(250, (id) => id % 5 === 0);
  for (let n = 0; n < 2; n++) await site.build(BOTH);
  const built = await site.build(BOTH, site.publish(249));
  expect(await site.wrongIn(built, BOTH)).toEqual([]);
});
