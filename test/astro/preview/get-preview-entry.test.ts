import { expect, test, vi } from 'vitest';
import type { LiveReplica } from '../../../src/astro/live/check/live-replica.ts';
import { spaceLiveLoader } from '../../../src/astro/live/space-live-loader.ts';
import { findPreviewEntry } from '../../../src/astro/preview/get-preview-entry.ts';
import { SegmentItems } from '../../../src/replica/content/segment-items.ts';
import { SpaceRuntime } from '../../../src/space/runtime.ts';
import type { RunningSpace } from '../../../src/space/space.ts';
import { openSite, refreshAll } from '../live/from-replica/live-site.ts';

const astro = (id: string) => ({ locals: { luid: { preview: true } }, params: { id } }) as never;

/** A page whose `id` function uses a variable of the request. */
function pageOf({ space }: Pick<ReturnType<typeof openSite>, 'space'>) {
  return (lang: string, slug: string) =>
    space.getPreviewEntry(astro(`${lang}/${slug}`), 'article', {
      from: 'replica',
      id: (item) => `${lang}/${item.slug}`,
      neighbours: { order: 'slug' },
    });
}

test('an `id` function sees the variables of its own request', async () => {
  const show = pageOf(openSite());
  expect(await show('ja', 'a')).toMatchObject({ id: 'ja/a', data: { _next: { id: 'ja/b' } } });
  expect(await show('en', 'a')).toMatchObject({ id: 'en/a', data: { _next: { id: 'en/b' } } });
  expect(await show('ja', 'b')).toMatchObject({ id: 'ja/b', data: { _prev: { id: 'ja/a' } } });
  expect(await show('en', 'nothing')).toBeUndefined();
});

test('a change is reported whichever request an `id` function is of', async () => {
  const site = openSite();
  const show = pageOf(site);
  await show('ja', 'a');
  await show('en', 'a');
  site.service.contents.saveDraft(10, { title: 'Changed' });
  expect(await refreshAll()).not.toEqual([]);
  await show('en', 'a');
  site.service.contents.saveDraft(10, { title: 'Changed again' });
  expect(await refreshAll()).not.toEqual([]);
  expect((await show('en', 'a'))?.data.title).toBe('Changed again');
});

test('requests with new `id` functions leave nothing behind', async () => {
  const { space } = openSite();
  const runtime = new SpaceRuntime();
  const running = { ...space, runtime } as unknown as RunningSpace;
  const columns = vi.spyOn(SegmentItems.prototype, 'columns');
  const show = (lang: string) =>
    findPreviewEntry(
      running,
      astro(`${lang}/a`),
      'article',
      { from: 'replica', id: ({ slug }) => `${lang}/${slug}` },
      (options, isForOneRequest) =>
        spaceLiveLoader(running, 'article', options, { isPreview: true, isForOneRequest }),
    );
  const replica = () => runtime.share('live drafts', (): LiveReplica => expect.unreachable());
  const kept = async () => ({
    collections: (await replica().current([])).used.length,
    loaders: runtime.share('live loaders', () => new Set()).size,
    columns: new Set(columns.mock.calls.flatMap(([readers]) => readers.map(({ key }) => key))).size,
  });
  await show('ja');
  const before = await kept();
  for (const lang of ['en', 'fr', 'de']) expect(await show(lang)).toMatchObject({ id: `${lang}/a` });
  expect(await kept()).toEqual(before);
});
