import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

// What a load that makes only some entries again warns about: the same as one that makes all of them.

const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    author: field.reference('author'),
    subject: field.reference(),
    note: field.text(),
  },
  secret: { name: field.text({ title: true }) },
};
const { secret: _, ...DECLARED } = SERVICE;
const { note: __, ...NO_NOTE } = SERVICE.article;
const COLLECTIONS = { articles: { model: 'article', id: 'slug' } };

const article = (id: number, values: object = {}) => ({
  id,
  model: 'article',
  title: `A${id}`,
  slug: `a-${id}`,
  author: 1,
  note: 'x',
  ...values,
});

function openSite(models: object = DECLARED, spaceOptions: object = {}) {
  const site = openTestSite(SERVICE, [
    { id: 1, model: 'author', name: 'Mori' },
    { id: 5, model: 'secret', name: 'hidden' },
    article(11, { subject: 5 }),
    article(12, { subject: 5 }),
    article(13),
    article(14),
  ]);
  const options = { space: { models, ...spaceOptions } };
  return {
    contents: site.service.contents,
    /** Builds incrementally, and says what it warns about: the same as a build of everything. */
    async warnings(): Promise<string[]> {
      site.service.clock.advance(60_000);
      const lines = await site.build(COLLECTIONS, options);
      const anew = await site.buildAnew(COLLECTIONS, options);
      expect(warningsIn(lines)).toEqual(warningsIn(anew.lines));
      return warningsIn(lines);
    },
    async madeAgain(): Promise<string | undefined> {
      site.service.clock.advance(60_000);
      return (await site.build(COLLECTIONS, options)).find((line) => line.includes('made again'));
    },
  };
}

const isWarning = (line: string) => /point|declares|undeclared fields|draft|skipped/.test(line);
/** Counts without examples: a load that makes some entries again may name another item. */
const warningsIn = (lines: readonly string[]) =>
  lines
    .filter(isWarning)
    .map((line) => line.replace(/Example: .*?\. Declare/, 'Declare').replace(/example: .*?\)/, ''));
const counted = (lines: readonly string[], pattern: RegExp) =>
  lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);

describe('after an edit, what is known of the items that it concerns is replaced', () => {
  test('references to content of undeclared models are counted as they are now', async () => {
    const site = openSite();
    const count = async () => counted(await site.warnings(), /subject: (\d+) references? point/);
    expect(await count()).toEqual(['2']);
    site.contents.edit(13, { subject: 5 });
    expect(await count()).toEqual(['3']);
    site.contents.edit(11, { subject: null });
    expect(await count()).toEqual(['2']);
    for (const id of [12, 13]) site.contents.edit(id, { subject: null });
    expect(await count()).toEqual([]);
  });

  test('drafts are counted as they are now', async () => {
    const site = openSite(DECLARED, { apiKey: 'drafts' });
    const count = async () => counted(await site.warnings(), /contains (\d+) drafts?/);
    expect(await count()).toEqual([]);
    for (const id of [11, 13]) site.contents.unpublish(id);
    expect(await count()).toEqual(['2']);
    site.contents.publish(13);
    expect(await count()).toEqual(['1']);
    site.contents.remove(11);
    expect(await count()).toEqual([]);
  });

  test('what no entry shows any more is not counted, although it did not change', async () => {
    const site = openSite(DECLARED, { apiKey: 'drafts' });
    const count = async () => counted(await site.warnings(), /contains (\d+) drafts?/);
    site.contents.unpublish(1);
    expect(await count()).toEqual(['1']);
    for (const id of [11, 12, 13]) site.contents.edit(id, { author: null });
    expect(await count()).toEqual(['1']);
    site.contents.edit(14, { author: null });
    expect(await count()).toEqual([]);
  });

  test('entries that are skipped are counted as they are now', async () => {
    const site = openSite(DECLARED, { onInvalid: 'skip' });
    const count = async () => counted(await site.warnings(), /articles: (\d+) entr\w+ (?:is|are) skipped/);
    site.contents.edit(11, { slug: '' });
    expect(await count()).toEqual(['1']);
    site.contents.edit(12, { slug: '' });
    expect(await count()).toEqual(['2']);
    site.contents.edit(13, { title: 'other' });
    expect(await count()).toEqual(['2']);
    site.contents.edit(11, { slug: 'b' });
    expect(await count()).toEqual(['1']);
  });

  test('a field that is not declared stays a warning', async () => {
    const site = openSite({ ...DECLARED, article: NO_NOTE });
    const expected = [expect.stringContaining('article has undeclared fields: note')];
    expect((await site.warnings()).filter((line) => line.includes('note'))).toEqual(expected);
    site.contents.edit(13, { title: 'other' });
    expect((await site.warnings()).filter((line) => line.includes('note'))).toEqual(expected);
  });

  test('a field that no item has stays a warning', async () => {
    const site = openSite({ ...DECLARED, article: { ...SERVICE.article, titel: field.text() } });
    const expected = [expect.stringContaining('article declares titel, which no item has')];
    expect((await site.warnings()).filter((line) => line.includes('titel'))).toEqual(expected);
    site.contents.edit(13, { title: 'other' });
    expect((await site.warnings()).filter((line) => line.includes('titel'))).toEqual(expected);
  });
});

test('warnings never decide how a load runs: an edit of an item that one is about makes only its entry again', async () => {
  const site = openSite(DECLARED, { apiKey: 'drafts' });
  site.contents.unpublish(12);
  await site.madeAgain();
  site.contents.edit(11, { title: 'other' });
  expect(await site.madeAgain()).toBe('articles: 1 entry made again');
  site.contents.publish(12);
  expect(await site.madeAgain()).toBe('articles: 1 entry made again');
});
