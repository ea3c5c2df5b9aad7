import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/index.ts';
import { LuidConfigError } from '../../../src/shared/errors.ts';
import { SPACE } from '../small-seed.ts';

/** The space with one content, changed. */
const content = (change: object) => ({
  ...SPACE,
  contents: [{ id: 10, model: 'article', created_at: '2026-01-02T00:00:00Z', draft: { ja: {} }, ...change }],
});
const media = (change: object) => ({ ...SPACE, media: [{ id: 900, file: 'a.jpg', ...change }] });

describe('an invalid seed is rejected with the path of the problem', () => {
  it.each<[string, unknown]>([
    ['seed', null],
    ['seed', 'text'],
    ['seed["content"]', { ...SPACE, content: [] }],
    ['seed.models', { ...SPACE, models: {} }],
    ['seed.models.article.title', { ...SPACE, models: { article: { title: { type: 'nope' } } } }],
    ['seed.keys', { ...SPACE, keys: undefined }],
    ['seed.keys[0].key', { ...SPACE, keys: [{ key: 'a b', reads: 'drafts' }] }],
    ['seed.keys[0].reads', { ...SPACE, keys: [{ key: 'a', reads: 'all' }] }],
    ['seed.keys[0].spaces[0]', { ...SPACE, keys: [{ key: 'a', reads: 'drafts', spaces: ['shop'] }] }],
    ['seed.keys[1].key', { ...SPACE, keys: [SPACE.keys[0], SPACE.keys[0]] }],
    ['seed.spaces[1]', { ...SPACE, spaces: ['_parent', 'Shop'] }],
    ['seed.languages', { ...SPACE, languages: { main: 'ja', sub: ['ja'] } }],
    ['seed.languages.main', { ...SPACE, languages: { main: '' } }],
    ['seed.contents', { ...SPACE, contents: {} }],
    ['seed.contents[1].id', { ...SPACE, contents: [SPACE.contents?.[0], SPACE.contents?.[0]] }],
    ['seed.contents[0].id', content({ id: 0 })],
    ['seed.contents[0].id', content({ id: Number.MAX_SAFE_INTEGER })],
    ['seed.contents[0].model', content({ model: 'nope' })],
    ['seed.contents[0].model', content({ model: '__proto__' })],
    ['seed.contents[0].space', content({ space: 'shop' })],
    ['seed.contents[0].archived', content({ archived: 'yes' })],
    ['seed.contents[0].created_at', content({ created_at: '2026-02-30T00:00:00Z' })],
    ['seed.contents[0].updated_at', content({ updated_at: '2026-01-01' })],
    ['seed.contents[0].updated_at', content({ updated_at: '2026-01-01T00:00:00+0900' })],
    ['seed.contents[0].published_at', content({ published_at: 5 })],
    ['seed.contents[0]', content({ draft: undefined })],
    ['seed.contents[0].draft["fr"]', content({ draft: { fr: {} } })],
    ['seed.contents[0].draft.ja', content({ draft: { ja: [] } })],
    ['seed.contents[0].draft.ja.nope', content({ draft: { ja: { nope: 1 } } })],
    ['seed.contents[0].draft.ja.constructor', content({ draft: { ja: { constructor: 1 } } })],
    ['seed.contents[0].draft.ja.title', content({ draft: { ja: { title: 1 } } })],
    ['seed.contents[0].draft.ja.author', content({ draft: { ja: { author: '1' } } })],
    ['seed.contents[0].draft.ja.seo.robots', content({ draft: { ja: { seo: { robots: true } } } })],
    ['seed.contents[0].draft.ja.seo.nope', content({ draft: { ja: { seo: { nope: true } } } })],
    ['seed.media[0].id', media({ id: 'a' })],
    ['seed.media[0].id', media({ id: Number.MAX_SAFE_INTEGER })],
    ['seed.media[0].file', media({ file: '../secret' })],
    ['seed.media[0].file', media({ file: '/etc/passwd' })],
    ['seed.media[0].alt["fr"]', media({ alt: { fr: 'x' } })],
    ['seed.media[0].alt.ja', media({ alt: { ja: 1 } })],
  ])('%s', (path, seed) => {
    expect(() => createEmulator(seed)).toThrow(LuidConfigError);
    expect(() => createEmulator(seed)).toThrow(expect.objectContaining({ field: path }));
  });

  it('names the path inside a repeat or combination', () => {
    const models = {
      page: {
        list: { type: 'repeat', fields: { when: { type: 'datetime' } } },
        parts: { type: 'combination', sets: { hero: { on: { type: 'boolean' } } } },
      },
    };
    const seed = (values: object) => ({
      ...content({ model: 'page', draft: { ja: values } }),
      models,
    });
    const path = (field: string) => expect.objectContaining({ field: `seed.contents[0].draft.ja.${field}` });
    expect(() => createEmulator(seed({ list: [{}, { when: '2026-01-01' }] }))).toThrow(path('list[1].when'));
    expect(() => createEmulator(seed({ parts: [{ luid: 'nope', fields: {} }] }))).toThrow(path('parts'));
    expect(() => createEmulator(seed({ parts: [{ luid: 'hero', fields: { on: 'x' } }] }))).toThrow(
      path('parts[0].fields.on'),
    );
  });
});

describe('a seed', () => {
  it('needs no languages, spaces, media, contents or publication times', () => {
    const seed = { keys: [], models: { note: { text: { type: 'text' } } } };
    expect(createEmulator(seed).snapshot()).toEqual({
      ...seed,
      languages: { main: 'ja', sub: [] },
      media: [],
      contents: [],
    });
  });

  it('is not changed by the emulator', () => {
    const seed = structuredClone(SPACE);
    const emulator = createEmulator(seed);
    emulator.contents.edit(10, { title: 'Changed' });
    emulator.models.setOptions('article', 'category', ['x']);
    expect(seed).toEqual(SPACE);
  });
});
