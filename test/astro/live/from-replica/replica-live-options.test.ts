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
  const from = 'replica';
  test.each([
    [
      'an unknown option',
      { from, refesh: '2s' },
      /liveLoader\("article"\): unknown option 'refesh'.*refresh/s,
    ],
    ['another source', { from: 'x' }, /liveLoader\("article"\): from must be 'replica', got 'x'/],
    ['no duration', { from, refresh: 'often' }, /refresh must be .*, got 'often'/],
    ['no interval', { from, refresh: '0s' }, /refresh must be from one second to 24 days, got '0s'/],
    ['a short interval', { from, refresh: 999 }, /refresh must be from one second to 24 days, got 999/],
    ['a long interval', { from, refresh: '25d' }, /refresh must be from one second to 24 days, got '25d'/],
    ['a Markdown body', { from, body: 'notes' }, /body names 'notes', which is Markdown.*format: 'html'/s],
    ['an unknown field', { from, id: 'slgu' }, /id names 'slgu', which is not a field.*slug/s],
    ['an unknown language', { from, langs: ['fr'] }, /the space has no language 'fr'/],
    ['a wrong depth', { from, depth: 11 }, /depth must be .*, got 11/],
    ['a filter without an operator', { from, where: { title: 'a' } }, /must be an object with an operator/],
  ])('%s', (_name, options, message) => {
    expect(() => define(options)).toThrow(message);
  });

  test('without a source, those of the service are meant', () => {
    expect(() => define({ from: undefined, depth: 3 })).not.toThrow();
    expect(() => define({ from: undefined, refresh: '2s' })).toThrow(/unknown option 'refresh'/);
  });

  test('an unknown model', () => {
    const { liveLoader } = space as unknown as { liveLoader(model: string, options: object): unknown };
    expect(() => liveLoader('articel', { from })).toThrow(/no such model is declared.*article/s);
  });

  test('a space without a cache', () => {
    const uncached = defineSpace({ languages, models, cache: false });
    expect(() => define({ from }, uncached)).toThrow(
      /from: 'replica' needs a cache, and the space has `cache: false`.*cache: \{ dir \}/s,
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
  const loader = liveLoader('article', { from: 'replica', refresh: '1h', id: 'slug', langs: ['ja', 'en'] });

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
