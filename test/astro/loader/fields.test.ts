import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, type Seed, startEmulator } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { createLoaderContext } from '../../security/loader-context.ts';
import { startService } from './test-loader.ts';

const MODELS = {
  author: { name: field.text({ required: true, title: true }), bio: field.multiline() },
  article: {
    title: field.text({ title: true }),
    slug: field.text({ required: true }),
    lead: field.multiline(),
    body: field.flexibleText(),
    rank: field.text(),
    author: field.reference('author', { required: true }),
    related: field.repeat({ article: field.reference('article') }),
  },
};

const SYSTEM = [
  '_created_at',
  '_id',
  '_last_published_at',
  '_model',
  '_published_at',
  '_status',
  '_title',
  '_updated_at',
];
const NOW = Date.UTC(2026, 5, 1);

let service: RunningEmulator | undefined;
let store: ReturnType<typeof createLoaderContext>;

beforeEach(async () => {
  await service?.close();
  service = await startService({ ...MODELS, article: { ...MODELS.article, undeclared: field.text() } }, [
    { id: 1, model: 'author', name: 'Mori', bio: 'Writes.' },
    { id: 2, model: 'author', name: 'Sato' },
    {
      id: 11,
      model: 'article',
      title: 'Tea',
      slug: 'tea',
      lead: 'Hot.',
      body: '<h2>Leaves</h2>',
      rank: '2',
      author: 1,
      related: [{ article: 12 }],
      undeclared: 'x',
    },
    { id: 12, model: 'article', title: 'Rice', slug: 'rice', lead: 'White.', rank: '1', author: 2 },
  ]);
  service.clock.set(NOW);
  // Everything is edited in the same second, so that `_updated_at` does not show later edits.
  for (const id of [1, 2, 11, 12]) service.contents.edit(id, {});
  store = createLoaderContext();
});
afterAll(() => service?.close());

const running = () => service as RunningEmulator;

/** Loads articles into the store, as a build in a new process would. */
async function load(options: object, space: object = {}) {
  const { baseUrl } = running();
  const { loader } = defineSpace({ baseUrl, apiKey: 'published-key', models: MODELS, ...space });
  const authors = { ...createLoaderContext().context, collection: 'authors' };
  await Promise.all([
    loader('article', options).load(store.context),
    ...('references' in options ? [loader('author', { id: 'name' }).load(authors)] : []),
  ]);
}

const entry = (id: string) => {
  const found = store.entries().find((one) => one.id === id);
  if (!found) throw new Error(`there is no entry ${id}`);
  return found;
};
const ids = () =>
  store
    .entries()
    .map(({ id }) => id)
    .sort();
const keysOf = (id: string) => Object.keys(entry(id).data).sort();

describe('data has', () => {
  test('these fields and the system properties, and nothing that the model map does not declare', async () => {
    await load({ fields: ['slug', 'title'] });
    expect(keysOf('11')).toEqual([...SYSTEM, 'slug', 'title'].sort());
    expect(entry('11').data).toMatchObject({ _title: 'Tea', title: 'Tea', slug: 'tea' });
  });

  test('the system properties alone if the list is empty', async () => {
    await load({ fields: [] });
    expect(keysOf('11')).toEqual(SYSTEM);
  });

  test('what other options add, from fields that are left out', async () => {
    await load({
      fields: ['title'],
      id: 'slug',
      where: { lead: { contains: '.' }, 'author.bio': { contains: 'W' } },
      neighbours: { order: 'rank' },
      references: { author: 'authors' },
    });
    expect(ids()).toEqual(['tea']);
    expect(keysOf('tea')).toEqual([...SYSTEM, '_next', '_prev', 'author', 'title'].sort());
    expect(entry('tea').data.author).toEqual({ collection: 'authors', id: 'Mori' });

    await load({ fields: [], id: 'slug', neighbours: { order: 'rank' } });
    expect(entry('tea').data).toMatchObject({ _prev: { id: 'rice' }, _next: null });
  });

  test('languages', async () => {
    const languages = { main: 'ja', sub: ['en'] };
    await load({ fields: [], langs: ['ja', 'en'], fallback: true }, { languages });
    expect(keysOf('en/11')).toEqual([...SYSTEM, '_fallback', '_lang', '_langs'].sort());
  });

  test('embedded content whole, of the same model too', async () => {
    await load({ fields: ['author', 'related'], depth: 2 });
    expect(entry('11').data).toMatchObject({
      author: { name: 'Mori', bio: 'Writes.' },
      related: [{ article: { title: 'Rice', slug: 'rice', lead: 'White.', author: { name: 'Sato' } } }],
    });
    expect(keysOf('12')).toEqual([...SYSTEM, 'author', 'related'].sort());
  });
});

describe('a body', () => {
  test('that is left out is rendered, but its text is not stored', async () => {
    await load({ fields: ['title'], body: 'body' });
    expect(entry('11')).toMatchObject({ rendered: { html: '<h2 id="leaves">Leaves</h2>' } });
    expect(entry('11')).not.toHaveProperty('body');
    expect(entry('11').data).not.toHaveProperty('body');
    expect(store.stored()).not.toContain('<h2>Leaves');
  });

  test('in Markdown too', async () => {
    const body = field.flexibleText({ format: 'markdown' });
    const models = { ...MODELS, article: { ...MODELS.article, body } };
    await load({ fields: ['title'], body: 'body' }, { models });
    expect(entry('11').rendered?.html).toContain('<h2 id="leaves">Leaves</h2>');
    expect(store.stored()).not.toContain('## Leaves');
  });

  test('that is kept is the body of the entry, as without `fields`', async () => {
    await load({ fields: ['body'], body: 'body' });
    expect(entry('11')).toMatchObject({ body: '<h2>Leaves</h2>', data: { body: '<h2>Leaves</h2>' } });
  });
});

describe('the digest', () => {
  /** Whether the digest of the article changes with an edit. */
  async function changes(options: object, edit: (contents: RunningEmulator['contents']) => void) {
    await load(options);
    const { digest } = entry('11');
    edit(running().contents);
    await load(options);
    return entry('11').digest !== digest;
  }

  test('stays if only a field changed that is left out', async () => {
    expect(await changes({ fields: ['title'] }, (to) => to.edit(11, { lead: 'Cold.' }))).toBe(false);
    expect(await changes({ fields: ['title'] }, (to) => to.edit(11, { body: 'New' }))).toBe(false);
    expect(await changes({}, (to) => to.edit(11, { lead: 'Warm.' }))).toBe(true);
  });

  test('stays if content changed that only a field refers to that is left out', async () => {
    const rename = (name: string) => (to: RunningEmulator['contents']) => to.edit(1, { name });
    running().clock.advance(60_000);
    expect(await changes({ fields: ['title', 'related'] }, rename('Mori K.'))).toBe(false);
    expect(await changes({ fields: ['author'] }, rename('Mori L.'))).toBe(true);
  });

  test('changes with a field that is kept, and with content that it embeds', async () => {
    expect(await changes({ fields: ['lead'] }, (to) => to.edit(11, { lead: 'Cold.' }))).toBe(true);
    expect(await changes({ fields: ['related'] }, (to) => to.edit(12, { lead: 'Brown.' }))).toBe(true);
    expect(entry('11').data.related).toMatchObject([{ article: { lead: 'Brown.' } }]);
  });

  test('changes with the body', async () => {
    expect(await changes({ fields: [], body: 'body' }, (to) => to.edit(11, { body: '<p>New</p>' }))).toBe(
      true,
    );
    expect(entry('11').rendered?.html).toBe('<p>New</p>');
  });

  test('changes with the order of neighbours', async () => {
    const options = { fields: [], neighbours: { order: 'rank' } };
    expect(await changes(options, (to) => to.edit(12, { rank: '3' }))).toBe(true);
    expect(entry('11').data._next).toMatchObject({ _id: 12 });
  });

  test('changes with `_updated_at`, which a page can show', async () => {
    const edit = (to: RunningEmulator['contents']) => {
      running().clock.advance(60_000);
      to.edit(11, { lead: 'Cold.' });
    };
    expect(await changes({ fields: [] }, edit)).toBe(true);
    expect(entry('11').data._updated_at).toEqual(new Date(NOW + 60_000));
  });

  test('changes with the list, whatever its order', async () => {
    await load({ fields: ['title', 'slug'] });
    const { digest } = entry('11');
    await load({ fields: ['slug', 'title', 'slug'] });
    expect(entry('11').digest).toBe(digest);
    await load({ fields: ['slug'] });
    expect(keysOf('11')).not.toContain('title');
    await load({});
    expect(keysOf('11')).toContain('lead');
  });
});

describe('a field that is left out', () => {
  const options = { fields: ['title'] };

  test('must match its model in the first build, and in one that finds the entry unchanged', async () => {
    await load(options);
    running().contents.edit(11, { slug: '' });
    await expect(load(options)).rejects.toThrow(/slug/);
    store = createLoaderContext();
    await expect(load(options)).rejects.toThrow(/slug/);
    await load(options, { onInvalid: 'skip' });
    expect(ids()).toEqual(['12']);
    running().contents.edit(11, { slug: 'tea' });
    await load(options, { onInvalid: 'skip' });
    expect(ids()).toEqual(['11', '12']);
  });

  test('must refer to content that exists if it is required', async () => {
    await load(options);
    running().contents.archive(2);
    await expect(load(options)).rejects.toThrow(/author/);
  });

  test('may refer to content that does not match its own model', async () => {
    running().contents.edit(2, { name: '' });
    await load({ fields: ['title'] });
    expect(ids()).toEqual(['11', '12']);
    await expect(load({ fields: ['author'] })).rejects.toThrow(/name/);
  });
});

test('images in fields that are left out are not measured', async () => {
  const models = { article: { title: field.text(), cover: field.media({ dimensions: true }) } };
  const at = new Date(NOW).toISOString();
  const seed = {
    languages: { main: 'ja' },
    keys: [{ key: 'published-key', reads: 'published' }],
    models,
    media: [{ id: 900, file: 'a.jpg', alt: {} }],
    contents: [{ id: 1, model: 'article', created_at: at, published: { ja: { title: 'Tea', cover: 900 } } }],
  };
  const withMedia = await startEmulator(seed as unknown as Seed, { rateLimit: false });
  const { baseUrl, assetsUrl } = withMedia;
  const requested: string[] = [];
  const space = defineSpace({
    baseUrl,
    assetsUrl,
    apiKey: 'published-key',
    models,
    network: { retries: 0 },
    fetch: (input, init) => {
      requested.push(String(input));
      return fetch(input, init);
    },
  });
  try {
    await space.loader('article', { fields: ['title'] }).load(createLoaderContext().context);
    expect(requested.filter((url) => url.startsWith(assetsUrl))).toEqual([]);
    await space.loader('article', { fields: ['cover'] }).load(createLoaderContext().context);
    expect(requested.filter((url) => url.startsWith(assetsUrl))).not.toEqual([]);
  } finally {
    await withMedia.close();
  }
});

describe('the list', () => {
  const define = (fields: unknown) => () =>
    defineSpace({ models: MODELS }).loader('article', { fields } as never);

  test('contains fields of the model', () => {
    expect(define(['title', 'slgu'])).toThrow(
      /loader\("article"\): fields names 'slgu', which is not a field of article/,
    );
    expect(define(['slgu'])).toThrow(/Did you mean 'slug'\?/);
    expect(define(['_title'])).toThrow(/fields names '_title', which is not a field of article/);
    expect(define(['constructor'])).toThrow(/fields names 'constructor'/);
  });

  test('is a list of strings', () => {
    expect(define('title')).toThrow(/fields must be a list of strings, got 'title'/);
    expect(define([1])).toThrow(/fields must be a list of strings/);
  });
});
