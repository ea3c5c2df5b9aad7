import { afterEach, expect, test, vi } from 'vitest';
import { article, closeSources, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

afterEach(() => {
  vi.restoreAllMocks();
  closeSources();
});

test("a list that skips an entry with onInvalid: 'skip' is invalidated when the entry is corrected", async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { space, service } = openSite({
    onInvalid: 'skip',
    contents: [article(10, 'a'), article(11, 'b', { title: '' }), article(12, 'c')],
  });
  const live = space.liveLoader('article', { id: 'slug' });
  const load = async () => resultOf(await live.loadCollection({ collection: 'articles' }));
  const page = await load();
  expect(page.entries).toHaveLength(2);
  service.contents.edit(11, { title: 'Corrected' });
  const tags = await refreshAll();
  expect(tagsOf(page).some((tag) => tags.includes(tag))).toBe(true);
  expect((await load()).entries).toHaveLength(3);
});

test('an item without an id is logged, once: no page could show it', async () => {
  const warnings: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line) => warnings.push(String(line)));
  const { space } = openSite({ contents: [article(10, 'a'), article(11, '')] });
  const live = space.liveLoader('article', { id: 'slug' });
  const load = async () => resultOf(await live.loadCollection({ collection: 'articles' }));
  expect((await load()).entries.map(({ id }) => id)).toEqual(['a']);
  await load();
  expect(warnings).toEqual([
    expect.stringMatching(/^\[astro-luid\] skipped: article 11 .* has no id: the field slug is ""/),
  ]);
});
