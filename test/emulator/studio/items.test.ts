import { describe, expect, it } from 'vitest';
import type {
  ActionResult,
  ItemPage,
  StudioItem,
  StudioSpace,
} from '../../../src/emulator/studio/studio-types.ts';
import { field } from '../../../src/models/field.ts';
import { readItem, SPACE } from '../small-seed.ts';
import { openStudio } from './studio-client.ts';

const DAY = 86_400_000;
const NOW = '2026-02-02T00:00:00Z';

describe('the space', () => {
  it('has its models with a form control per field and counts per status', async () => {
    const { get, emulator } = openStudio();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    emulator.contents.archive(1);
    const { body } = await get<StudioSpace>('space');
    expect(body.languages).toEqual({ main: 'ja', sub: ['en'] });
    const [author, article] = body.models;
    expect(author?.counts).toEqual({ draft: 0, published: 0, published_draft: 0, archived: 1 });
    expect(article?.counts).toEqual({ draft: 1, published: 0, published_draft: 1, archived: 0 });
    expect(article).toMatchObject({
      luid: 'article',
      titleField: 'title',
      fields: [
        { luid: 'title', control: 'text', required: false },
        { luid: 'category', control: 'select', options: ['news', 'event'] },
        { luid: 'author', control: 'content', models: ['author'] },
        { luid: 'seo', control: 'group', fields: [{ luid: 'robots', control: 'select' }] },
      ],
    });
    expect(body.keys.map(({ name }) => name)).toEqual(['#1 (published)', '#2 (drafts)']);
  });

  it('describes repeats and combinations with what is inside', async () => {
    const models = {
      page: {
        name: field.text({ required: true }),
        rows: field.repeat({ text: field.multiline() }),
        blocks: field.combination({ quote: { text: field.text() }, image: { file: field.media() } }),
      },
    };
    const { get } = openStudio({ ...SPACE, models, contents: [] });
    const { body } = await get<StudioSpace>('space');
    expect(body.models[0]?.fields).toMatchObject([
      { luid: 'name', required: true },
      { luid: 'rows', control: 'list', fields: [{ luid: 'text', control: 'textarea' }] },
      {
        luid: 'blocks',
        control: 'blocks',
        sets: [
          { luid: 'quote', fields: [{ luid: 'text' }] },
          { luid: 'image', fields: [{ luid: 'file', control: 'media' }] },
        ],
      },
    ]);
  });
});

describe('the list of items', () => {
  const ids = async (query: string) => {
    const { get, emulator } = openStudio();
    emulator.contents.create({
      id: 12,
      model: 'article',
      created_at: '2026-01-04T00:00:00Z',
      draft: { ja: { title: 'ÄPFEL <b>' } },
    });
    emulator.contents.archive(11);
    const { status, body } = await get<ItemPage>(`contents?${query}`);
    return status === 200 ? body.rows.map(({ id }) => id) : status;
  };

  it.each([
    ['', [12, 11, 10, 1]],
    ['model=article', [12, 11, 10]],
    ['model=article,author&order=id', [1, 10, 11, 12]],
    ['status=archived', [11]],
    ['status=published&order=updated', [1, 10]],
    ['status=draft', [12]],
    ['lang=en', [10]],
    ['search=äpfel', [12]],
    ['search=%3Cb%3E', [12]],
    ['search=english%20one', [10]],
    ['search=mori', [1]],
    ['search=12', [12]],
    ['search=nothing', []],
    ['search=one%20nothing', []],
    ['order=title&model=article', [12, 10, 11]],
    ['offset=1&limit=1', [11]],
    ['offset=50', []],
    ['limit=0', []],
    ['model=unknown', []],
    ['space=_parent&limit=1', [12]],
    ['space=shop', []],
    ['lang=fr', 400],
    ['order=constructor', 400],
    ['offset=-1', 400],
    ['limit=x', 400],
  ])('filters by %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('can be sorted by title in a language whose key is not a language tag', async () => {
    const contents = SPACE.contents?.map(({ published, draft, ...rest }) => ({
      ...rest,
      draft: { main_language: draft?.ja ?? published?.ja ?? {} },
    }));
    const media = [{ id: 900, file: 'a.jpg' }];
    const { get } = openStudio({ ...SPACE, languages: { main: 'main_language' }, media, contents });
    const { body } = await get<ItemPage>('contents?order=title');
    expect(body.rows.map(({ title }) => title)).toEqual(['Mori', 'One', 'Two']);
  });

  it('is that of the search, not of one before', async () => {
    const { get } = openStudio();
    const found = async (search: string) =>
      (await get<ItemPage>(`contents?search=${search}`)).body.rows.map(({ id }) => id);
    expect(await found('one')).toEqual([10]);
    expect(await found('two')).toEqual([11]);
    expect(await found('one')).toEqual([10]);
  });

  it('follows every change', async () => {
    const { get, emulator, pass } = openStudio();
    const titles = async () =>
      (await get<ItemPage>('contents?search=e&model=article')).body.rows.map(({ title }) => title);
    expect(await titles()).toEqual(['One']);
    pass(DAY);
    emulator.contents.edit(11, { title: 'Three' });
    expect(await titles()).toEqual(['Three', 'One']);
    emulator.contents.remove(10);
    expect(await titles()).toEqual(['Three']);
  });
});

describe('an item', () => {
  it('has both its draft and its published data, and what they link to', async () => {
    const { item, emulator } = openStudio();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    expect(await item(10)).toMatchObject({
      id: 10,
      title: 'Draft',
      status: 'published_draft',
      languages: ['ja', 'en'],
      published: { ja: { title: 'One', category: 'news', author: 1 }, en: { title: 'One, in English' } },
      draft: { ja: { title: 'Draft', category: 'news', author: 1 } },
      linkedContents: [{ id: 1, title: 'Mori', status: 'published' }],
      linkedMedia: [],
    });
    expect((await item(1)).linkedMedia).toMatchObject([
      { id: 900, name: 'a.jpg', isImage: true, alt: { ja: '絵' } },
    ]);
  });

  it.each(['0', '-1', '1.5', 'x', '999', '__proto__'])('with the id %s does not exist', async (id) => {
    const { get } = openStudio();
    expect([400, 404]).toContain((await get(`contents/${id}`)).status);
  });
});

describe('every transition', () => {
  /** The item as the API returns it to a drafts key, after an action one day later. */
  async function act(id: number, action: string, prepare?: (studio: ReturnType<typeof openStudio>) => void) {
    const studio = openStudio();
    prepare?.(studio);
    studio.pass(DAY);
    const { version } = await studio.item(id);
    const { status, body } = await studio.post<ActionResult>(`contents/${id}/${action}`, { version });
    expect(status, JSON.stringify(body)).toBe(200);
    return { studio, item: body.item, read: await readItem(studio.emulator, id) };
  }

  it('publish', async () => {
    const { item, read } = await act(11, 'publish');
    expect(item).toMatchObject({
      status: 'published',
      updatedAt: NOW,
      lastPublishedAt: NOW,
      publishedAt: NOW,
    });
    expect(read).toMatchObject({
      _status: 'published',
      _updated_at: NOW,
      _last_published_at: NOW,
      title: 'Two',
    });
  });

  it('unpublish', async () => {
    const { item, read } = await act(10, 'unpublish');
    expect(item).toMatchObject({ status: 'draft', updatedAt: NOW, lastPublishedAt: '2026-01-02T00:00:00Z' });
    expect(read).toMatchObject({ _status: 'draft', title: 'One' });
  });

  it('archive and restore', async () => {
    const archived = await act(10, 'archive');
    expect(archived.item).toMatchObject({ status: 'archived', updatedAt: '2026-01-02T00:00:00Z' });
    expect(archived.read).toEqual({ status: '404', code: 'Not Found' });
    const restored = await act(10, 'restore', ({ emulator }) => emulator.contents.archive(10));
    expect(restored.read).toMatchObject({ title: 'One', _status: 'published' });
  });

  it('discard', async () => {
    const { item, read } = await act(10, 'discard', ({ emulator }) =>
      emulator.contents.saveDraft(10, { title: 'X' }),
    );
    expect(item.draft).toBeUndefined();
    expect(read).toMatchObject({ title: 'One', _updated_at: '2026-01-02T00:00:00Z' });
  });

  it('duplicate copies draft data in preference to published data', async () => {
    const { studio, item } = await act(10, 'duplicate', ({ emulator }) =>
      emulator.contents.saveDraft(10, { title: 'X' }),
    );
    expect(item.id).toBe(12);
    expect(await readItem(studio.emulator, 12)).toMatchObject({
      title: 'X',
      author: { _id: 1 },
      _status: 'draft',
      _created_at: NOW,
    });
    expect(await readItem(studio.emulator, 12, 'lang=en')).toMatchObject({ title: 'One, in English' });
  });

  it('remove, only from the archive', async () => {
    const { studio } = await act(10, 'remove', ({ emulator }) => emulator.contents.archive(10));
    expect((await studio.get('contents/10')).status).toBe(404);
    const { post, emulator } = openStudio();
    expect((await post('contents/10/remove')).status).toBe(400);
    expect(emulator.contents.get(10).id).toBe(10);
  });

  it.each([
    [10, 'publish', 'Content 10 has no draft to publish.'],
    [11, 'unpublish', 'it is not published'],
    [10, 'discard', 'it has no draft'],
    [11, 'discard', 'it has no published data'],
  ])('of content %i: %s is refused where it is not possible', async (id, action, message) => {
    const { post, item } = openStudio();
    const before = await item(id);
    const { status, body } = await post(`contents/${id}/${action}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: '400',
      code: 'BadRequest',
      message: expect.stringContaining(message),
    });
    expect(await item(id)).toEqual(before);
  });

  it.each(['draft', 'publish', 'unpublish', 'discard'])(
    '%s is refused while it is archived',
    async (action) => {
      const { post, item, emulator } = openStudio();
      emulator.contents.saveDraft(10, { title: 'Draft' });
      emulator.contents.archive(10);
      const before = await item(10);
      const { status, body } = await post(`contents/10/${action}`, { fields: { title: 'x' } });
      expect([status, body.message]).toEqual([
        400,
        'Content 10 is archived. Restore it before you change it.',
      ]);
      expect(await item(10)).toEqual(before);
    },
  );

  it('is one of a fixed set', async () => {
    const { post } = openStudio();
    for (const action of ['explode', 'constructor', '__proto__', 'toString']) {
      expect((await post(`contents/10/${action}`)).status).toBe(404);
    }
  });

  it('says beforehand what it does to the times, and does it with every assumption', async () => {
    for (const draftTouchesUpdatedAt of [true, false]) {
      for (const discardUpdatedAt of ['restore', 'now', 'keep'] as const) {
        const touches = draftTouchesUpdatedAt;
        const assumptions = {
          draftTouchesUpdatedAt,
          discardUpdatedAt,
          publishTouchesUpdatedAt: touches,
          unpublishTouchesUpdatedAt: !touches,
          archiveTouchesUpdatedAt: touches,
          restoreTouchesUpdatedAt: !touches,
        };
        for (const action of ['draft', 'publish', 'discard', 'unpublish', 'archive', 'restore'] as const) {
          const { post, item, get, emulator, pass } = openStudio(SPACE, { assumptions });
          const beforeDraft = (await item(10)).updatedAt;
          if (action === 'publish' || action === 'discard') emulator.contents.saveDraft(10, { title: 'X' });
          const before = await item(10);
          const effect = (await get<StudioSpace>('space')).body.effects[action];
          pass(DAY);
          const { body } = await post<ActionResult>(`contents/10/${action}`, { fields: { title: 'Y' } });
          const expected = { now: NOW, unchanged: before.updatedAt, 'before-draft': beforeDraft };
          expect(body.item.updatedAt, action).toBe(expected[effect?.updated ?? 'now']);
          const published = { now: NOW, unchanged: before.lastPublishedAt, 'before-draft': '' };
          expect(body.item.lastPublishedAt, action).toBe(published[effect?.lastPublished ?? 'now']);
        }
      }
    }
  });
});

describe('saving a draft', () => {
  it('changes the named fields of one language, and empties a field with an empty value', async () => {
    const { post, item, emulator } = openStudio();
    const { version } = await item(10);
    const { status } = await post('contents/10/draft', {
      version,
      lang: 'en',
      fields: { title: 'New', author: null },
    });
    expect(status).toBe(200);
    expect(await readItem(emulator, 10, 'lang=en')).toMatchObject({
      title: 'New',
      author: null,
      _status: 'published_draft',
    });
    expect(await readItem(emulator, 10)).toMatchObject({ title: 'One', author: { _id: 1 } });
    expect(await readItem(emulator, 10, '', 'pub')).toMatchObject({ title: 'One' });
  });

  it('is refused for archived content', async () => {
    const { post, emulator } = openStudio();
    emulator.contents.archive(10);
    const { status, body } = await post('contents/10/draft', { fields: { title: 'x' } });
    expect(status).toBe(400);
    expect(body.message).toBe('Content 10 is archived. Restore it before you change it.');
    expect(emulator.contents.get(10).draft).toBeUndefined();
  });

  it('is refused with 409 if the item was changed since, and changes nothing', async () => {
    const { post, item, emulator } = openStudio();
    const { version } = await item(10);
    emulator.contents.edit(10, { title: 'Theirs' });
    const { status, body } = await post('contents/10/draft', { version, fields: { title: 'Mine' } });
    expect(status).toBe(409);
    expect(body.current?.published?.ja?.title).toBe('Theirs');
    expect((await item(10)).draft).toBeUndefined();
    const again = await post('contents/10/draft', {
      version: body.current?.version,
      fields: { title: 'Mine' },
    });
    expect(again.status).toBe(200);
  });

  it('has another version after every change, even within the same second', async () => {
    const { item, emulator } = openStudio();
    const versions = new Set([(await item(10)).version]);
    emulator.contents.edit(10, { title: 'a' });
    versions.add((await item(10)).version);
    emulator.contents.edit(10, { title: 'b' }, { lang: 'en' });
    versions.add((await item(10)).version);
    emulator.contents.archive(10);
    versions.add((await item(10)).version);
    expect(versions.size).toBe(4);
  });

  it('names every value that is not valid, by its path', async () => {
    const { post, item } = openStudio();
    const before = await item(10);
    const fields = {
      title: 5,
      category: ['news'],
      author: 999,
      seo: { robots: 1 },
      unknown: 'x',
      constructor: 'x',
    };
    const { status, body } = await post('contents/10/draft', { fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: '400', code: 'BadRequest' });
    expect(body.problems).toEqual([
      { path: 'title', message: 'must be a string, not 5' },
      { path: 'category', message: 'must be a string, not ["news"]' },
      {
        path: 'author',
        message: 'is content 999, which does not exist, is archived or is not of the model author',
      },
      { path: 'seo.robots', message: 'must be a string, not 1' },
      { path: 'unknown', message: expect.stringContaining('is not a field') },
      { path: 'constructor', message: expect.stringContaining('is not a field') },
    ]);
    expect(await item(10)).toEqual(before);
  });

  it('refuses a reference to another model, and keeps one whose target was archived since', async () => {
    const { post, emulator } = openStudio();
    expect((await post('contents/10/draft', { fields: { author: 11 } })).status).toBe(400);
    emulator.contents.archive(1);
    expect((await post('contents/10/draft', { fields: { author: 1, title: 'x' } })).status).toBe(200);
    expect((await post('contents/11/draft', { fields: { author: 1 } })).status).toBe(400);
  });

  it.each([
    [{ fields: 5 }, 400],
    [{ fields: [] }, 400],
    [{ fields: {}, lang: 'fr' }, 400],
    [{ fields: {}, lang: 5 }, 400],
    [{ fields: {}, version: 5 }, 409],
    [[], 400],
    ['text', 400],
  ])('with the body %j is refused', async (body, status) => {
    const { post, item } = openStudio();
    const before = await item(10);
    expect((await post('contents/10/draft', body)).status).toBe(status);
    expect(await item(10)).toEqual(before);
  });
});

describe('a new item', () => {
  it('is a draft that has the main language too', async () => {
    const { post, emulator } = openStudio();
    const { body } = await post<{ item: StudioItem }>('contents', {
      model: 'article',
      lang: 'en',
      fields: { title: 'New' },
    });
    expect(body.item).toMatchObject({ id: 12, status: 'draft', languages: ['ja', 'en'] });
    expect(await readItem(emulator, 12, 'lang=en')).toMatchObject({
      title: 'New',
      _status: 'draft',
      _published_at: null,
    });
    expect((await readItem(emulator, 12)).title).toBe('');
  });

  it.each([
    [{ model: 'unknown', fields: {} }],
    [{ model: '__proto__', fields: {} }],
    [{ fields: {} }],
    [{ model: 'article', fields: { title: 1 } }],
    [{ model: 'article', lang: 'fr', fields: {} }],
    [{ model: 'article', space: 'shop', fields: {} }],
    [{ model: 'article', space: 5, fields: {} }],
  ])('%j is refused', async (body) => {
    const { post, emulator } = openStudio();
    expect((await post('contents', body)).status).toBe(400);
    expect(emulator.snapshot().contents).toHaveLength(3);
  });
});
