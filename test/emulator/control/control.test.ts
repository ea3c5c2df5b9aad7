import { describe, expect, it } from 'vitest';
import { type Assumptions, createEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/models/field.ts';
import { readItem, request, SPACE } from '../small-seed.ts';

const NOW = '2026-06-01T12:00:00Z';

function started(assumptions: Partial<Assumptions> = {}) {
  const emulator = createEmulator(SPACE, { assumptions });
  emulator.clock.set(NOW);
  return emulator;
}

describe('content', () => {
  it('is created with a free id and the current time', async () => {
    const emulator = started();
    const id = emulator.contents.create({ model: 'article', published: { ja: { title: 'New' } } });
    expect(id).toBe(12);
    expect(await readItem(emulator, id, '', 'pub')).toMatchObject({
      _id: 12,
      _created_at: NOW,
      _updated_at: NOW,
      _published_at: NOW,
      _status: 'published',
      title: 'New',
    });
  });

  it('is validated like a seed, with the path of the problem', () => {
    const { contents } = started();
    expect(() => contents.create({ model: 'nope', draft: { ja: {} } })).toThrow(/contents\.create\.model/);
    expect(() => contents.create({ id: 10, model: 'article', draft: { ja: {} } })).toThrow(/10 already/);
    expect(() => contents.edit(10, { title: 5 })).toThrow(/content 10\.title must be a string/);
    expect(() => contents.edit(10, { nope: 'x' })).toThrow(/content 10\.nope is not a field/);
    expect(() => contents.edit(10, {}, { lang: 'fr' })).toThrow(/"fr" is not a language/);
    expect(() => contents.edit(99, {})).toThrow(/Content 99 does not exist/);
  });

  it('keeps the fields that an edit omits, and empties those that it sets to null', async () => {
    const emulator = started();
    emulator.contents.edit(10, { title: 'Uno', category: null });
    expect(await readItem(emulator, 10, 'depth=0', 'pub')).toMatchObject({
      title: 'Uno',
      category: null,
      author: 1,
      _updated_at: NOW,
      _last_published_at: NOW,
      _published_at: '2026-01-02T00:00:00Z',
    });
  });

  it('is edited in one language', async () => {
    const emulator = started();
    emulator.contents.edit(10, { title: 'Changed' }, { lang: 'en' });
    expect((await readItem(emulator, 10)).title).toBe('One');
    expect((await readItem(emulator, 10, 'lang=en')).title).toBe('Changed');
  });

  it('is published and unpublished, and keeps its first publication time', async () => {
    const emulator = started();
    emulator.contents.publish(11);
    expect(await readItem(emulator, 11, '', 'pub')).toMatchObject({
      _status: 'published',
      _published_at: NOW,
    });
    emulator.clock.advance(60_000);
    emulator.contents.unpublish(11);
    expect((await request(emulator, '/contents/11')).status).toBe(404);
    expect(await readItem(emulator, 11)).toMatchObject({
      _status: 'draft',
      _published_at: NOW,
      title: 'Two',
    });
    emulator.contents.publish(11);
    expect(await readItem(emulator, 11)).toMatchObject({
      _published_at: NOW,
      _last_published_at: '2026-06-01T12:01:00Z',
    });
  });

  it('returns a draft only to keys that read drafts, until it is discarded', async () => {
    const emulator = started();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    expect(await readItem(emulator, 10, '', 'pub')).toMatchObject({
      title: 'One',
      _status: 'published_draft',
    });
    expect(await readItem(emulator, 10)).toMatchObject({ title: 'Draft', category: 'news' });
    expect((await readItem(emulator, 10, 'lang=en')).title).toBe('One, in English');
    emulator.contents.discardDraft(10);
    expect(await readItem(emulator, 10)).toMatchObject({ title: 'One', _status: 'published' });
    expect(() => emulator.contents.discardDraft(10)).toThrow(/it has no draft/);
  });

  it('disappears when archived, also from references to it, until it is restored', async () => {
    const emulator = started();
    emulator.contents.archive(1);
    expect((await request(emulator, '/contents/1')).status).toBe(404);
    expect((await readItem(emulator, 10)).author).toBeNull();
    emulator.contents.restore(1);
    expect((await readItem(emulator, 10)).author).toMatchObject({ name: 'Mori' });
    emulator.contents.remove(1);
    expect((await readItem(emulator, 10)).author).toBeNull();
  });

  it('is returned as a copy', () => {
    const { contents } = started();
    Object.assign(contents.get(10).published?.ja ?? {}, { title: 'Changed' });
    expect(contents.get(10).published?.ja).toMatchObject({ title: 'One' });
  });
});

describe('changes of _updated_at', () => {
  const CREATED = '2026-01-02T00:00:00Z';
  type Step = (contents: ReturnType<typeof started>['contents']) => void;
  const cases: [keyof Assumptions, Assumptions[keyof Assumptions], string, Step][] = [
    ['publishTouchesUpdatedAt', true, NOW, (contents) => contents.publish(10)],
    ['publishTouchesUpdatedAt', false, CREATED, (contents) => contents.publish(10)],
    ['draftTouchesUpdatedAt', true, NOW, (contents) => contents.saveDraft(10, { title: 'x' })],
    ['draftTouchesUpdatedAt', false, CREATED, (contents) => contents.saveDraft(10, { title: 'x' })],
    ['unpublishTouchesUpdatedAt', true, NOW, (contents) => contents.unpublish(10)],
    ['unpublishTouchesUpdatedAt', false, CREATED, (contents) => contents.unpublish(10)],
    ['discardUpdatedAt', 'restore', CREATED, discard],
    ['discardUpdatedAt', 'now', NOW, discard],
    ['discardUpdatedAt', 'keep', NOW, discard],
    ['restoreTouchesUpdatedAt', true, NOW, archiveAndRestore],
    ['restoreTouchesUpdatedAt', false, CREATED, archiveAndRestore],
    ['archiveTouchesUpdatedAt', true, NOW, archiveAndRestore],
  ];

  function discard(contents: ReturnType<typeof started>['contents']): void {
    contents.saveDraft(10, { title: 'x' });
    contents.discardDraft(10);
  }

  function archiveAndRestore(contents: ReturnType<typeof started>['contents']): void {
    contents.archive(10);
    contents.restore(10);
  }

  it.each(cases)('%s: %s gives %s', async (name, value, expected, step) => {
    const emulator = started({ [name]: value });
    step(emulator.contents);
    expect((await readItem(emulator, 10))._updated_at).toBe(expected);
  });

  it('altTouchesUpdatedAt changes all content with the media', async () => {
    const emulator = started({ altTouchesUpdatedAt: true });
    emulator.media.setAlt(900, 'A picture');
    expect((await readItem(emulator, 1))._updated_at).toBe(NOW);
    expect((await readItem(emulator, 10))._updated_at).toBe(CREATED);
  });
});

describe('media', () => {
  it('is added, described in a language, archived and restored', async () => {
    const emulator = started();
    const id = emulator.media.add({ file: 'b.jpg' });
    emulator.contents.edit(1, { portrait: id });
    emulator.media.setAlt(id, '肖像');
    emulator.media.setAlt(id, 'Portrait', { lang: 'en' });
    const url = `${emulator.assetsUrl}/901/b.jpg`;
    expect((await readItem(emulator, 1)).portrait).toEqual({ url, alt: '肖像' });
    emulator.contents.edit(1, { portrait: id }, { lang: 'en' });
    expect((await readItem(emulator, 1, 'lang=en')).portrait).toEqual({ url, alt: 'Portrait' });
    emulator.media.archive(id);
    expect((await readItem(emulator, 1)).portrait).toBeNull();
    emulator.media.restore(id);
    expect((await readItem(emulator, 1)).portrait).toEqual({ url, alt: '肖像' });
  });
});

describe('models', () => {
  it('are replaced, and content keeps values that are still valid', async () => {
    const emulator = started();
    emulator.models.set({ article: { title: { type: 'boolean' }, category: { type: 'text' } } });
    expect(await readItem(emulator, 10)).toMatchObject({ title: null, category: 'news', _title: 'news' });
    expect((await request(emulator, '/contents/1')).status).toBe(404);
    expect((await request(emulator, '/contents')).body.total).toBe(1);
  });

  it('that are removed remove their content, also from a snapshot and if they are added again', async () => {
    const emulator = started();
    const { author = {} } = emulator.models.get();
    emulator.models.set({ author });
    expect(() => emulator.contents.get(10)).toThrow('Content 10 does not exist');
    expect(createEmulator(emulator.snapshot()).snapshot()).toEqual(emulator.snapshot());
    emulator.models.set({ author, article: { title: field.datetime() } });
    expect((await request(emulator, '/contents?model=article', 'all')).body.total).toBe(0);
    const id = emulator.contents.create({ model: 'article', published: { ja: { title: NOW } } });
    expect((await readItem(emulator, id)).title).toBe(NOW);
  });

  it('without a field or set in a group keep the other values of the group', () => {
    const hero = { text: field.text(), note: field.text() };
    const emulator = createEmulator({
      ...SPACE,
      models: {
        page: {
          seo: field.fieldSet({ title: field.text(), robots: field.text() }),
          links: field.repeat({ label: field.text(), page: field.reference('page') }),
          blocks: field.combination({ hero, quote: { text: field.text() } }),
        },
      },
      contents: [
        {
          id: 1,
          model: 'page',
          created_at: NOW,
          published: {
            ja: {
              seo: { title: 'T', robots: 'none' },
              links: [{ label: 'a', page: 1 }, { page: 1 }],
              blocks: [
                { luid: 'hero', fields: { text: 'H', note: 'N' } },
                { luid: 'quote', fields: { text: 'Q' } },
              ],
            },
          },
        },
      ],
    });
    emulator.models.set({
      page: {
        seo: field.fieldSet({ title: field.text(), robots: field.boolean() }),
        links: field.repeat({ label: field.text() }),
        blocks: field.combination({ hero: { text: field.text() } }),
      },
    });
    expect(emulator.contents.get(1).published?.ja).toEqual({
      seo: { title: 'T' },
      links: [{ label: 'a' }, {}],
      blocks: [{ luid: 'hero', fields: { text: 'H' } }],
    });
  });

  it('cannot rename a field to the LUID of another', () => {
    const emulator = started();
    const before = emulator.snapshot();
    expect(() => emulator.models.renameField('article', 'category', 'title')).toThrow(
      'The model article already has a field title',
    );
    emulator.models.renameField('article', 'title', 'title');
    expect(emulator.snapshot()).toEqual(before);
  });

  it('rename a field with its values', async () => {
    const emulator = started();
    emulator.models.renameField('article', 'title', '__proto__');
    const item = await readItem(emulator, 10);
    expect(Object.getOwnPropertyDescriptor(item, '__proto__')?.value).toBe('One');
    expect(Object.keys(item)).not.toContain('title');
  });

  it('change options, also inside a group', () => {
    const emulator = started();
    emulator.models.setOptions('article', 'category', ['news']);
    emulator.models.setOptions('article', 'seo.robots', ['none']);
    expect(emulator.models.get().article).toMatchObject({
      category: { options: ['news'] },
      seo: { fields: { robots: { options: ['none'] } } },
    });
    expect(() => emulator.models.setOptions('article', 'nope', ['x'])).toThrow(/no field nope/);
  });
});

describe('the state', () => {
  it('can be exported as a seed', async () => {
    const emulator = started();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    emulator.contents.archive(1);
    emulator.models.setOptions('article', 'category', ['event']);
    const snapshot = emulator.snapshot();
    const copy = createEmulator(JSON.parse(JSON.stringify(snapshot)));
    expect(copy.snapshot()).toEqual(snapshot);
    expect(await readItem(copy, 10)).toEqual(await readItem(emulator, 10));
  });

  it('stores times in seconds, or milliseconds with that assumption', async () => {
    const emulator = started();
    emulator.clock.set('2026-06-01T12:00:00.789Z');
    emulator.contents.edit(10, { title: 'x' });
    expect((await readItem(emulator, 10))._updated_at).toBe(NOW);
    emulator.assumptions.timeResolution = 'ms';
    emulator.contents.edit(10, { title: 'y' });
    expect((await readItem(emulator, 10))._updated_at).toBe('2026-06-01T12:00:00.789Z');
  });

  it('can be changed before each read that reaches the origin', async () => {
    const emulator = started();
    let reads = 0;
    emulator.beforeRequest = () => emulator.contents.edit(10, { title: `Edited ${++reads}` });
    expect((await readItem(emulator, 10)).title).toBe('Edited 1');
    expect((await readItem(emulator, 10)).title).toBe('Edited 2');
  });
});

describe('ties', () => {
  it('are ordered by id, by descending id, or randomly per request', async () => {
    const emulator = createEmulator({
      ...SPACE,
      contents: Array.from({ length: 30 }, (_, index) => ({
        id: index + 1,
        model: 'author',
        created_at: NOW,
        published: { ja: {} },
      })),
    });
    const ids = async () =>
      (await request(emulator, '/contents?select=_id', 'all')).body.data.map(
        (item: { _id: number }) => item._id,
      );
    const ascending = Array.from({ length: 30 }, (_, index) => index + 1);
    expect(await ids()).toEqual(ascending);
    emulator.assumptions = { tieOrder: 'reverse' };
    expect(await ids()).toEqual(ascending.toReversed());
    emulator.assumptions = { tieOrder: 'shuffled' };
    const [first, second] = [await ids(), await ids()];
    expect(first).not.toEqual(second);
    expect(first.toSorted((a: number, b: number) => a - b)).toEqual(ascending);
  });

  it.each(['all', 'pub'])(
    'are ordered by the assumption of the time when the content is read, with the key %s',
    async (key) => {
      const emulator = started();
      const created_at = '2026-01-01T00:00:00Z';
      emulator.contents.create({ id: 2, model: 'author', created_at, published: { ja: {} } });
      const ids = async () => {
        const { body } = await request(emulator, '/contents?model=author&order=_created_at', key);
        return body.data.map((item: { _id: number }) => item._id);
      };
      emulator.beforeRequest = async () => {
        emulator.beforeRequest = undefined;
        emulator.assumptions = { tieOrder: 'reverse' };
        // Another read notices the change while this one waits.
        await readItem(emulator, 10);
      };
      expect(await ids()).toEqual([2, 1]);
      expect(await ids()).toEqual([2, 1]);
    },
  );
});

describe('the log', () => {
  it('contains requests and responses, never the key', async () => {
    const emulator = started();
    await request(emulator, '/contents?limit=1');
    await request(emulator, '/contents?limit=1');
    await request(emulator, '/contents/10', 'all');
    await request(emulator, '/nope', 'wrong');
    expect(
      emulator.log.map(({ path, query, status, cdn, counted }) => [path, query, status, cdn, counted]),
    ).toEqual([
      ['/v1/contents', 'limit=1', 200, 'miss', true],
      ['/v1/contents', 'limit=1', 200, 'hit', false],
      ['/v1/contents/10', '', 200, 'pass', true],
      ['/v1/nope', '', 401, 'pass', false],
    ]);
    expect(emulator.log[0]).toMatchObject({ at: Date.parse(NOW), method: 'GET' });
    expect(emulator.log[0]?.bytes).toBeGreaterThan(100);
    expect(JSON.stringify(emulator.log)).not.toContain('pub"');
    emulator.clearLog();
    expect(emulator.log).toEqual([]);
  });
});
