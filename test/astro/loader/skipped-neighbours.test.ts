import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const MODELS = {
  article: { title: field.text({ title: true }), slug: field.text({ required: true }) },
};
const COLLECTIONS = { articles: { model: 'article', neighbours: { order: 'title' }, langs: ['ja', 'en'] } };
const SKIP = { space: { onInvalid: 'skip' } };

function openSite() {
  const ids = [11, 12, 13, 14, 15];
  const site = openTestSite(
    // The service accepts what the model of the site does not.
    { article: { ...MODELS.article, slug: field.text() } },
    ids.map((id) => {
      const values = { title: `Title ${id}`, slug: 'x' };
      return { id, model: 'article', published: { ja: values, en: values } };
    }),
  );
  const options = { space: { ...SKIP.space, models: MODELS } };
  return {
    service: site.service,
    build: (context = {}) => site.build(COLLECTIONS, { ...options, context }),
    buildAnew: async () => (await site.buildAnew(COLLECTIONS, options)).entries('articles'),
    stored: () => site.entries('articles'),
    neighbours: () =>
      Object.fromEntries(
        Object.entries(site.entries('articles')).map(([id, { data }]) => {
          const { _prev, _next } = data as Record<string, { id: string } | null>;
          return [id, [_prev?.id ?? null, _next?.id ?? null]];
        }),
      ),
  };
}

const COMPLETE = (lang: string) => ({
  [`${lang}/11`]: [null, `${lang}/12`],
  [`${lang}/12`]: [`${lang}/11`, `${lang}/13`],
  [`${lang}/13`]: [`${lang}/12`, `${lang}/14`],
  [`${lang}/14`]: [`${lang}/13`, `${lang}/15`],
  [`${lang}/15`]: [`${lang}/14`, null],
});

test("_prev and _next do not lead to entries that onInvalid: 'skip' skips", async () => {
  const site = openSite();
  await site.build();
  expect(site.neighbours()).toEqual({ ...COMPLETE('ja'), ...COMPLETE('en') });
  site.service.clock.advance(60_000);
  for (const id of [12, 13]) site.service.contents.edit(id, { slug: null });
  const lines = await site.build();
  expect(lines.filter((line) => line.includes('2 entries are skipped'))).toHaveLength(1);
  expect(site.neighbours()).toEqual({
    ...COMPLETE('en'),
    'ja/11': [null, 'ja/14'],
    'ja/14': ['ja/11', 'ja/15'],
    'ja/15': ['ja/14', null],
  });
  expect(site.stored()).toEqual(await site.buildAnew());
  site.service.clock.advance(60_000);
  for (const id of [12, 13]) site.service.contents.edit(id, { slug: 'y' });
  await site.build();
  expect(site.neighbours()).toEqual({ ...COMPLETE('ja'), ...COMPLETE('en') });
});

test('an entry that its new neighbours make invalid is skipped too, with a warning', async () => {
  const site = openSite();
  site.service.contents.edit(12, { slug: null });
  // A schema of the site that depends on a neighbour: nothing may follow 11 but 12.
  const parseData = async ({ data }: { data: { _id: number; _prev: { _id: number } | null } }) => {
    if (data._id > 12 && data._id < 15 && (data._prev?._id ?? 0) < 12) throw new Error('follows too early');
    return data;
  };
  const lines = await site.build({ parseData });
  expect(site.neighbours()).toEqual({
    ...COMPLETE('en'),
    'ja/11': [null, 'ja/15'],
    'ja/15': ['ja/11', null],
  });
  expect(lines.join('\n')).toContain('3 entries are skipped');
});

test('an entry that the schema of the site rejects after an edit is not a neighbour any more', async () => {
  const site = openSite();
  const parseData = async ({ data }: { data: { slug: string } }) => {
    if (data.slug === 'rejected') throw new Error('rejected');
    return data;
  };
  await site.build({ parseData });
  expect(site.neighbours()).toEqual({ ...COMPLETE('ja'), ...COMPLETE('en') });
  site.service.clock.advance(60_000);
  site.service.contents.edit(13, { slug: 'rejected' });
  await site.build({ parseData });
  expect(site.neighbours()).toEqual({
    ...COMPLETE('en'),
    'ja/11': [null, 'ja/12'],
    'ja/12': ['ja/11', 'ja/14'],
    'ja/14': ['ja/12', 'ja/15'],
    'ja/15': ['ja/14', null],
  });
  site.service.clock.advance(60_000);
  site.service.contents.edit(13, { slug: 'accepted' });
  await site.build({ parseData });
  expect(site.neighbours()).toEqual({ ...COMPLETE('ja'), ...COMPLETE('en') });
});
