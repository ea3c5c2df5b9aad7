import { describe, expect, test } from 'vitest';
import { published } from '../loader-site.ts';
import { articles, ENGLISH, JAPANESE, openLargeSite } from './large-site.ts';

// What was read by itself is read once more by the next sync: up to 1,000 items by id, otherwise everything.

const AUTHOR = 1;
const BOTH = { japanese: JAPANESE, english: ENGLISH };

/** English is read in full while the author of so many articles is archived; it is restored with its old time. */
async function buildWhileHidden(count: number) {
  const author = published('author', AUTHOR, { name: '著者' }, { en: { name: 'author' } });
  const site = openLargeSite([author, ...articles(count, () => ({ author: AUTHOR }))]);
  const { service } = site;
  await site.build({ japanese: JAPANESE });
  service.beforeRequest = ({ url }) => {
    if (!new URL(url).searchParams.has('lang')) return;
    service.beforeRequest = undefined;
    service.contents.archive(AUTHOR);
  };
  const hidden = await site.build(BOTH);
  expect(Object.values(hidden.english ?? {})[0]).toHaveProperty('author', null);
  return site;
}

describe('an author that was hidden while English was read in full is shown', () => {
  test.each([300, 301, 1000, 1001, 1101])('by the next build, in each of %i articles', async (count) => {
    const { service, build, wrongIn } = await buildWhileHidden(count);
    const built = await build(BOTH, () => service.contents.restore(AUTHOR));
    expect(await wrongIn(built, BOTH)).toEqual([]);
  });

  test.each([301, 1001])('after another build without it, in each of %i articles', async (count) => {
    const { service, build, wrongIn } = await buildWhileHidden(count);
    await build(BOTH);
    const built = await build(BOTH, () => service.contents.restore(AUTHOR));
    expect(await wrongIn(built, BOTH)).toEqual([]);
  });
});
