import { describe, expect, it } from 'vitest';
import { type Assumptions, createEmulator } from '../../src/emulator/index.ts';
import { ask, one, SPACE } from './space.ts';

const NOW = '2026-06-01T12:00:00Z';

function started(assumptions: Partial<Assumptions> = {}) {
  const emulator = createEmulator(SPACE, { assumptions });
  emulator.clock.set(NOW);
  return emulator;
}

describe('content', () => {
  it('is created with a free id and the present time', async () => {
    const emulator = started();
    const id = emulator.contents.create({ model: 'article', published: { ja: { title: 'New' } } });
    expect(id).toBe(12);
    expect(await one(emulator, id, '', 'pub')).toMatchObject({
      _id: 12,
      _created_at: NOW,
      _updated_at: NOW,
      _published_at: NOW,
      _status: 'published',
      title: 'New',
    });
  });

  it('is refused where a seed would be, with the place', () => {
    const { contents } = started();
    expect(() => contents.create({ model: 'nope', draft: { ja: {} } })).toThrow(/contents\.create\.model/);
    expect(() => contents.create({ id: 10, model: 'article', draft: { ja: {} } })).toThrow(/10 already/);
    expect(() => contents.edit(10, { title: 5 })).toThrow(/content 10\.title must be a string/);
    expect(() => contents.edit(10, { nope: 'x' })).toThrow(/content 10\.nope is not a field/);
    expect(() => contents.edit(10, {}, { lang: 'fr' })).toThrow(/"fr" is no language/);
    expect(() => contents.edit(99, {})).toThrow(/no content 99/);
  });

  it('keeps the fields that an edit does not name, and empties those it sets to null', async () => {
    const emulator = started();
    emulator.contents.edit(10, { title: 'Uno', category: null });
    expect(await one(emulator, 10, 'depth=0', 'pub')).toMatchObject({
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
    expect((await one(emulator, 10)).title).toBe('One');
    expect((await one(emulator, 10, 'lang=en')).title).toBe('Changed');
  });

  it('goes from a draft to published and back, and keeps its first time of publication', async () => {
    const emulator = started();
    emulator.contents.publish(11);
    expect(await one(emulator, 11, '', 'pub')).toMatchObject({ _status: 'published', _published_at: NOW });
    emulator.clock.advance(60_000);
    emulator.contents.unpublish(11);
    expect((await ask(emulator, '/contents/11')).status).toBe(404);
    expect(await one(emulator, 11)).toMatchObject({ _status: 'draft', _published_at: NOW, title: 'Two' });
    emulator.contents.publish(11);
    expect(await one(emulator, 11)).toMatchObject({
      _published_at: NOW,
      _last_published_at: '2026-06-01T12:01:00Z',
    });
  });

  it('shows a draft only to those who read drafts, until it is discarded', async () => {
    const emulator = started();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    expect(await one(emulator, 10, '', 'pub')).toMatchObject({ title: 'One', _status: 'published_draft' });
    expect(await one(emulator, 10)).toMatchObject({ title: 'Draft', category: 'news' });
    expect((await one(emulator, 10, 'lang=en')).title).toBe('One, in English');
    emulator.contents.discardDraft(10);
    expect(await one(emulator, 10)).toMatchObject({ title: 'One', _status: 'published' });
    expect(() => emulator.contents.discardDraft(10)).toThrow(/it has no draft/);
  });

  it('vanishes in the archive, and from what refers to it, until it is restored', async () => {
    const emulator = started();
    emulator.contents.archive(1);
    expect((await ask(emulator, '/contents/1')).status).toBe(404);
    expect((await one(emulator, 10)).author).toBeNull();
    emulator.contents.restore(1);
    expect((await one(emulator, 10)).author).toMatchObject({ name: 'Mori' });
    emulator.contents.remove(1);
    expect((await one(emulator, 10)).author).toBeNull();
  });

  it('is given as a copy', () => {
    const { contents } = started();
    Object.assign(contents.get(10).published?.ja ?? {}, { title: 'Changed' });
    expect(contents.get(10).published?.ja).toMatchObject({ title: 'One' });
  });
});

describe('what moves _updated_at', () => {
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
    expect((await one(emulator, 10))._updated_at).toBe(expected);
  });

  it('altTouchesUpdatedAt moves whatever shows the media', async () => {
    const emulator = started({ altTouchesUpdatedAt: true });
    emulator.media.setAlt(900, 'A picture');
    expect((await one(emulator, 1))._updated_at).toBe(NOW);
    expect((await one(emulator, 10))._updated_at).toBe(CREATED);
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
    expect((await one(emulator, 1)).portrait).toEqual({ url, alt: '肖像' });
    emulator.contents.edit(1, { portrait: id }, { lang: 'en' });
    expect((await one(emulator, 1, 'lang=en')).portrait).toEqual({ url, alt: 'Portrait' });
    emulator.media.archive(id);
    expect((await one(emulator, 1)).portrait).toBeNull();
    emulator.media.restore(id);
    expect((await one(emulator, 1)).portrait).toEqual({ url, alt: '肖像' });
  });
});

describe('models', () => {
  it('are replaced, and content keeps what still fits', async () => {
    const emulator = started();
    emulator.models.set({ article: { title: { type: 'boolean' }, category: { type: 'text' } } });
    expect(await one(emulator, 10)).toMatchObject({ title: null, category: 'news', _title: 'news' });
    expect((await ask(emulator, '/contents/1')).status).toBe(404);
    expect((await ask(emulator, '/contents')).body.total).toBe(1);
  });

  it('rename a field with its values', async () => {
    const emulator = started();
    emulator.models.renameField('article', 'title', '__proto__');
    const item = await one(emulator, 10);
    expect(Object.getOwnPropertyDescriptor(item, '__proto__')?.value).toBe('One');
    expect(Object.keys(item)).not.toContain('title');
  });

  it('take other options, also inside a group', () => {
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
  it('survives as a seed', async () => {
    const emulator = started();
    emulator.contents.saveDraft(10, { title: 'Draft' });
    emulator.contents.archive(1);
    emulator.models.setOptions('article', 'category', ['event']);
    const snapshot = emulator.snapshot();
    const copy = createEmulator(JSON.parse(JSON.stringify(snapshot)));
    expect(copy.snapshot()).toEqual(snapshot);
    expect(await one(copy, 10)).toEqual(await one(emulator, 10));
  });

  it('stores times to the second, or finer if assumed so', async () => {
    const emulator = started();
    emulator.clock.set('2026-06-01T12:00:00.789Z');
    emulator.contents.edit(10, { title: 'x' });
    expect((await one(emulator, 10))._updated_at).toBe(NOW);
    emulator.assumptions.timeResolution = 'ms';
    emulator.contents.edit(10, { title: 'y' });
    expect((await one(emulator, 10))._updated_at).toBe('2026-06-01T12:00:00.789Z');
  });

  it('can be changed before each page that reaches the origin', async () => {
    const emulator = started();
    let reads = 0;
    emulator.beforeRequest = () => emulator.contents.edit(10, { title: `Edited ${++reads}` });
    expect((await one(emulator, 10)).title).toBe('Edited 1');
    expect((await one(emulator, 10)).title).toBe('Edited 2');
  });
});

describe('ties', () => {
  it('are broken by id, by descending id, or anew for each request', async () => {
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
      (await ask(emulator, '/contents?select=_id', 'all')).body.data.map((item: { _id: number }) => item._id);
    const ascending = Array.from({ length: 30 }, (_, index) => index + 1);
    expect(await ids()).toEqual(ascending);
    emulator.assumptions = { tieOrder: 'reverse' };
    expect(await ids()).toEqual(ascending.toReversed());
    emulator.assumptions = { tieOrder: 'shuffled' };
    const [first, second] = [await ids(), await ids()];
    expect(first).not.toEqual(second);
    expect(first.toSorted((a: number, b: number) => a - b)).toEqual(ascending);
  });
});

describe('the log', () => {
  it('tells what was asked and how it was answered, never the key', async () => {
    const emulator = started();
    await ask(emulator, '/contents?limit=1');
    await ask(emulator, '/contents?limit=1');
    await ask(emulator, '/contents/10', 'all');
    await ask(emulator, '/nope', 'wrong');
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
