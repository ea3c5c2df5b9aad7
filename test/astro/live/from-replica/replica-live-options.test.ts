import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import { createFolder } from '../../../package/pack.ts';

const models = {
  article: {
    title: field.text(),
    slug: field.text(),
    body: field.flexibleText(),
    notes: field.flexibleText({ format: 'markdown' }),
  },
};
const languages = { main: 'ja', sub: ['en'] } as const;
const space = defineSpace({ languages, models });

/** As a site without types would call it. */
function define(options: object, of: object = space): unknown {
  return (of as { liveLoader(model: string, options: object): unknown }).liveLoader('article', options);
}

describe('options that cannot work are errors when the loader is defined', () => {
  test.each([
    ['an unknown option', { refesh: '2s' }, /liveLoader\("article"\): unknown option 'refesh'.*refresh/s],
    [
      'another source',
      { from: 'x' },
      /liveLoader\("article"\): from must be 'replica' or 'service', got 'x'/,
    ],
    ['no duration', { refresh: 'often' }, /refresh must be .*, got 'often'/],
    ['no interval', { refresh: '0s' }, /refresh must be from one second to 24 days, got '0s'/],
    ['a short interval', { refresh: 999 }, /refresh must be from one second to 24 days, got 999/],
    ['a long interval', { refresh: '25d' }, /refresh must be from one second to 24 days, got '25d'/],
    ['a Markdown body', { body: 'notes' }, /body names 'notes', which is Markdown.*format: 'html'/s],
    ['an unknown field', { id: 'slgu' }, /id names 'slgu', which is not a field.*slug/s],
    ['an unknown language', { langs: ['fr'] }, /the space has no language 'fr'/],
    ['a wrong depth', { depth: 11 }, /depth must be .*, got 11/],
    ['a filter without an operator', { where: { title: 'a' } }, /must be an object with an operator/],
  ])('%s', (_name, options, message) => {
    expect(() => define(options)).toThrow(message);
  });

  test('without a source, the replica is meant', () => {
    for (const from of [undefined, 'replica'])
      expect(() => define({ from, depth: 4, refresh: '2s' })).not.toThrow();
  });

  test('what only the replica has', () => {
    for (const option of ['refresh', 'backlinks', 'langs', 'neighbours'])
      expect(() => define({ from: 'service', [option]: {} })).toThrow(
        `liveLoader("article"): ${option} is not available from the service\n  → Use from: 'replica'`,
      );
    expect(() => define({ from: 'service', depth: 4 })).toThrow(/depth must be .*, got 4/);
    expect(() => define({ from: 'service', refesh: '2s' })).toThrow(/unknown option 'refesh'/);
  });

  test('an unknown model', () => {
    const { liveLoader } = space as unknown as { liveLoader(model: string, options: object): unknown };
    expect(() => liveLoader('articel', {})).toThrow(/no such model is declared.*article/s);
  });

  test('a space without a cache', () => {
    const uncached = defineSpace({ languages, models, cache: false });
    expect(() => define({}, uncached)).toThrow(
      /a live collection needs a cache, and the space has `cache: false`.*cache: \{ dir \}.*from: 'service'/s,
    );
  });
});

describe('a filter that cannot work is returned as an error', () => {
  const { folder, remove } = createFolder();
  const service = createEmulator({
    languages,
    keys: [{ key: 'published', reads: 'published' }],
    models,
    contents: [
      { id: 1, model: 'article', created_at: '2026-01-01T00:00:00Z', published: { ja: { slug: 'a' } } },
    ],
  });
  const { liveLoader } = defineSpace({
    languages,
    models,
    baseUrl: service.baseUrl,
    apiKey: 'published',
    fetch: service.fetch,
    cache: { dir: folder },
  });
  const loader = liveLoader('article', { refresh: '1h', id: 'slug', langs: ['ja', 'en'] });

  async function errorOf(load: 'loadEntry' | 'loadCollection', filter: object): Promise<string> {
    const untyped = loader as unknown as Record<string, (context: object) => Promise<{ error?: Error }>>;
    const result = await untyped[load]?.({ filter, collection: 'articles' });
    return result?.error?.message ?? 'no error';
  }

  test.each([
    ['loadCollection', { were: {} }, /getLiveCollection: unknown option 'were'.*where/s],
    ['loadCollection', { limit: 0 }, /limit must be .*, got 0/],
    ['loadCollection', { lang: 'fr' }, /lang must be 'ja' or 'en', got 'fr'/],
    ['loadCollection', { order: 'titel' }, /names 'titel', which is not a field.*title/s],
    ['loadCollection', { where: { titel: { eq: 'a' } } }, /titel/],
    ['loadCollection', { where: { body: { eq: 'a' } } }, /is not allowed for this type/],
    ['loadEntry', {}, /the filter has neither id nor where/],
    ['loadEntry', { id: 'ja/a', lang: 'ja' }, /getLiveEntry: unknown option 'lang'/],
    ['loadEntry', { where: { slug: { eq: 'a' } }, lang: 'fr' }, /lang must be 'ja' or 'en', got 'fr'/],
  ] as const)('of %s: %j', async (load, filter, message) => {
    expect(await errorOf(load, filter)).toMatch(message);
  });

  test('and others are used, in the language that they name', async () => {
    const find = (lang: 'ja' | 'en') =>
      loader.loadEntry({ filter: { where: { slug: { eq: 'a' } }, lang }, collection: 'articles' });
    expect(await find('ja')).toMatchObject({ id: 'ja/a' });
    expect(await find('en')).toMatchObject({ error: { name: 'LiveEntryNotFoundError' } });
    remove();
  });
});
