import { beforeAll, describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { ids, list, readItem, status } = server;
const { create, expectRejected, send } = createWriter(server);

const NOW = '2026-08-01T00:00:00Z';

beforeAll(() => server.emulator.clock.set(NOW));

const title = (title: string) => ({ fields: { title } });

describe('the response', () => {
  it('§4.3 the response is the id of a new item', async () => {
    const before = (await list('limit=1', 'all')).total;
    const id = await create('filler', title('new'));
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(await readItem(id, '', 'all')).toMatchObject({ _id: id, _model: 'filler', title: 'new' });
    expect((await list('limit=1', 'all')).total).toBe(before + 1);
  });

  it('§4.3 every new item has a unique id, also when created in parallel', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create('filler', title(`at once ${index}`))),
    );
    expect(new Set(created).size).toBe(20);
    for (const [index, id] of created.entries()) {
      expect((await readItem(id, '', 'all')).title).toBe(`at once ${index}`);
    }
  });

  it('§4.3 the id of an archived item is not reused', async () => {
    const id = await create('filler', title('archived'));
    server.emulator.contents.archive(id);
    expect(await create('filler', title('next'))).not.toBe(id);
  });

  it('§4.3 a new item is in lists, filters and neighbours immediately', async () => {
    expect(await ids('model=company&order=name', 'all')).toEqual([301]);
    const id = await create('company', { fields: { name: 'あ', country: 'fr' } });
    expect(await ids('model=company&order=name', 'all')).toEqual([id, 301]);
    expect(await ids('country[eq]=fr', 'all')).toEqual([id]);
    const { _prev } = await readItem(301, 'include=_prev&model=company&order=name', 'all');
    expect((_prev as Item)._id).toBe(id);
  });
});

describe('the query', () => {
  it('§4.3 model is required', async () => {
    await expectRejected(() => send('POST', '/contents', title('x')));
    await expectRejected(() => send('POST', '/contents?model=', title('x')));
  });

  it('§4.3 model must be a model of the space, and one only', async () => {
    for (const model of ['nope', 'Filler', 'filler,company', '__proto__', 'tostring', '1001']) {
      await expectRejected(() => send('POST', `/contents?model=${model}`, { fields: {} }), 400, model);
    }
  });

  it('§4.3 published defaults to false: the item is a draft', async () => {
    const id = await create('filler', title('draft'));
    expect(await readItem(id, '', 'all')).toMatchObject({ _status: 'draft', title: 'draft' });
    expect(await status(`/contents/${id}`, 'pub')).toBe(404);
  });

  it('§4.3 published=false creates a draft', async () => {
    const id = await create('filler', title('draft'), 'published=false');
    expect((await readItem(id, '', 'all'))._status).toBe('draft');
    expect(await ids(`_id[eq]=${id}`, 'pub')).toEqual([]);
  });

  it('§4.3 published=true publishes', async () => {
    const id = await create('filler', title('public'), 'published=true');
    expect(await readItem(id, '', 'pub')).toMatchObject({ _status: 'published', title: 'public' });
    expect(await readItem(id, '', 'all')).toEqual(await readItem(id, '', 'pub'));
  });

  it('§4.3 published is true or false', async () => {
    for (const published of ['1', '0', 'yes', 'TRUE', 'null', 'true,false']) {
      await expectRejected(
        () => send('POST', `/contents?model=filler&published=${published}`, title('x')),
        400,
        published,
      );
    }
  });

  it('§4.3 space defaults to _parent', async () => {
    expect((await readItem(await create('filler', title('x')), '', 'all'))._space).toBe('_parent');
    expect((await readItem(await create('filler', title('x'), 'space=_parent'), '', 'all'))._space).toBe(
      '_parent',
    );
  });

  it('§4.3 space selects the space of the new item', async () => {
    const id = await create('filler', title('x'), 'space=shop&published=true');
    expect((await readItem(id, '', 'shop-pub'))._space).toBe('shop');
    expect(await ids('space=shop&model=filler', 'all')).toEqual([id]);
  });

  it('§4.3 space must exist', async () => {
    await expectRejected(() => send('POST', '/contents?model=filler&space=nope', title('x')));
  });

  it('§4.3 ft_format is portable_html by default', async () => {
    const bio = '<p data-service-ftelm="paragraph">A <strong>bold</strong> text</p>';
    const plain = await create('author', { fields: { bio } });
    const named = await create('author', { fields: { bio } }, 'ft_format=portable_html');
    for (const id of [plain, named]) {
      expect((await readItem(id, 'bio[format]=portable_html', 'all')).bio, String(id)).toBe(bio);
      expect((await readItem(id, '', 'all')).bio).toBe('<p>A <strong>bold</strong> text</p>');
    }
  });

  it('§4.3 ft_format=portable_html keeps markdown characters as they are', async () => {
    const id = await create('author', { fields: { bio: '<p>**not bold**</p>' } }, 'ft_format=portable_html');
    expect((await readItem(id, '', 'all')).bio).toBe('<p>**not bold**</p>');
  });

  it('§4.3 ft_format=markdown accepts markdown', async () => {
    const bio = '# Head\n\nA **bold** [link](https://example.com/).\n\n- one\n- two\n';
    const id = await create('author', { fields: { name: '# as it is', bio } }, 'ft_format=markdown');
    const item = await readItem(id, '', 'all');
    expect(item.name).toBe('# as it is');
    const html = (item.bio as string).replaceAll(/\s*\n\s*/g, '');
    expect(html).toBe(
      '<h1>Head</h1><p>A <strong>bold</strong> <a href="https://example.com/">link</a>.</p>' +
        '<ul><li>one</li><li>two</li></ul>',
    );
  });

  it('§4.3 ft_format applies inside field sets, repeats and other languages', async () => {
    const body = {
      fields: { seo: { rich: '**set**' }, related: [{ rich: '**entry**' }] },
      'fields[en]': { body: '**english**' },
    };
    const id = await create('article', body, 'ft_format=markdown');
    const item = await readItem(id, '', 'all');
    expect((item.seo as Item).rich).toContain('<strong>set</strong>');
    expect((item.related as Item[])[0]?.rich).toContain('<strong>entry</strong>');
    expect((await readItem(id, 'lang=en', 'all')).body).toContain('<strong>english</strong>');
  });

  it('§4.3 ft_format is portable_html or markdown', async () => {
    for (const format of ['html', 'text', 'Markdown', 'nope']) {
      await expectRejected(
        () => send('POST', `/contents?model=author&ft_format=${format}`, { fields: { bio: 'x' } }),
        400,
        format,
      );
    }
  });

  it('§4.3 parameters that do not exist are ignored, and a trailing slash is accepted', async () => {
    const response = await send('POST', '/contents/?model=filler&utm_source=x', title('slash'));
    expect(response.status).toBe(200);
  });
});

describe('the body', () => {
  it('§4.3 fields without a language key are of the main language', async () => {
    const id = await create('author', { fields: { name: '主' } });
    expect((await readItem(id, 'include=_langs', 'all'))._langs).toEqual({
      current: 'ja',
      available: ['ja'],
    });
    expect(await status(`/contents/${id}?lang=en`, 'all')).toBe(404);
  });

  it('§4.3 fields with a language key are of that language', async () => {
    const id = await create('author', { fields: { name: '主' }, 'fields[en]': { name: 'Main' } });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '主', _title: '主' });
    expect(await readItem(id, 'lang=en', 'all')).toMatchObject({ name: 'Main', _title: 'Main' });
  });

  it('§4.3 several languages are written together, published or not', async () => {
    const body = {
      fields: { name: '三' },
      'fields[en]': { name: 'three' },
      'fields[fr]': { name: 'trois' },
    };
    for (const [published, key] of [
      ['true', 'pub'],
      ['false', 'all'],
    ] as const) {
      const id = await create('author', body, `published=${published}`);
      const names = await Promise.all(
        ['ja', 'en', 'fr'].map(async (lang) => (await readItem(id, `lang=${lang}`, key)).name),
      );
      expect(names).toEqual(['三', 'three', 'trois']);
    }
  });

  it('§4.3 the key of the main language may be named', async () => {
    const id = await create('author', { 'fields[ja]': { name: '名指し' } });
    expect((await readItem(id, '', 'all')).name).toBe('名指し');
  });

  it('§4.3 the main language cannot be written twice', async () => {
    await expectRejected(() =>
      send('POST', '/contents?model=author', { fields: { name: 'a' }, 'fields[ja]': { name: 'b' } }),
    );
  });

  it('§4.3 an item with a sub-language only has main-language data that is empty', async () => {
    const id = await create('author', { 'fields[en]': { name: 'Only' } });
    expect((await readItem(id, 'lang=en', 'all')).name).toBe('Only');
    expect(await readItem(id, '', 'all')).toMatchObject({ _id: id, name: '', company: null });
  });

  it('§4.3 omitted fields are empty', async () => {
    const id = await create('every', { fields: { text: 'alone' } });
    expect(await readItem(id, '', 'all')).toMatchObject({
      text: 'alone',
      flexible_text: '',
      multiline: '',
      boolean: null,
      select: null,
      multi_select: [],
      datetime: null,
      media: null,
      reference: null,
      repeat: [],
      combination: [],
    });
  });

  it('§4.3 an item can be created with all fields empty', async () => {
    const id = await create('filler', { fields: {} }, 'published=true');
    expect(await readItem(id)).toMatchObject({ title: '', group: null, _title: '' });
  });

  it('§4.3 the body is JSON, whatever its content type', async () => {
    const body = JSON.stringify(title('typed'));
    for (const type of ['application/json', 'application/json; charset=utf-8', 'text/plain']) {
      const init = { method: 'POST', key: 'all', body, headers: { 'content-type': type } };
      expect((await server.request('/contents?model=filler', init)).status, type).toBe(200);
    }
  });

  it('§4.3 fields with reserved JavaScript names are ordinary fields', async () => {
    const body = '{"fields": {"label": "odd", "__proto__": "proto", "constructor": "built", "then": "x"}}';
    const { body: response } = await server.request('/contents?model=constructor&published=true', {
      method: 'POST',
      key: 'all',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const item = await readItem((response as { id: number }).id);
    expect(Object.getOwnPropertyDescriptor(item, '__proto__')?.value).toBe('proto');
    expect(Object.getOwnPropertyDescriptor(item, 'constructor')?.value).toBe('built');
    expect(item.then).toBe('x');
    expect(({} as Item).label).toBeUndefined();
  });

  it('§2.1 _title of a written item comes from the title field', async () => {
    const id = await create('article', { fields: { slug: 'first', title: 'marked' } });
    expect((await readItem(id, '', 'all'))._title).toBe('marked');
  });
});

describe('the times', () => {
  it('§2.1 a new draft has its times of creation and update, and no publication times', async () => {
    const id = await create('filler', title('x'));
    expect(await readItem(id, '', 'all')).toMatchObject({
      _created_at: NOW,
      _updated_at: NOW,
      _published_at: null,
      _last_published_at: null,
    });
  });

  it('§2.1 a new published item has all four times', async () => {
    const id = await create('filler', title('x'), 'published=true');
    expect(await readItem(id)).toMatchObject({
      _created_at: NOW,
      _updated_at: NOW,
      _published_at: NOW,
      _last_published_at: NOW,
    });
  });
});
