import { describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';

const { request, list, readItem } = startServer();

describe('select', () => {
  it('§4.1 select returns the listed properties only', async () => {
    expect((await list('_id[eq]=101&select=title,_title')).data).toEqual([
      { title: 'アルファ', _title: 'アルファ' },
    ]);
  });

  it('§4.1 select omits _id and every system property that is not listed', async () => {
    expect(await readItem(101, 'select=slug')).toEqual({ slug: 'alpha' });
  });

  it('§4.1 select of non-existent LUIDs only returns an empty object', async () => {
    expect((await list('_id[in]=101,102&select=nope,nothing')).data).toEqual([{}, {}]);
  });

  it('§4.1 select ignores non-existent LUIDs', async () => {
    expect(await readItem(101, 'select=nope,slug')).toEqual({ slug: 'alpha' });
  });

  it('§4.1 select omitted means all', async () => {
    expect(Object.keys(await readItem(101))).toContain('sections');
  });

  it('§4.1 select with dots picks inside a reference', async () => {
    expect(await readItem(101, 'select=author.name,author._id')).toEqual({
      author: { name: '花子', _id: 201 },
    });
  });

  it('§4.1 select with dots picks inside references of references', async () => {
    expect(await readItem(101, 'depth=2&select=author.company.name')).toEqual({
      author: { company: { name: '会社' } },
    });
  });

  it('§4.1 select with dots picks inside a repeat', async () => {
    expect(await readItem(101, 'select=related.line')).toEqual({
      related: [{ line: 'near' }, { line: 'self' }],
    });
  });

  it('§4.1 select with dots picks inside a reference of a repeat', async () => {
    expect(await readItem(101, 'select=related.article.slug')).toEqual({
      related: [{ article: { slug: 'beta' } }, { article: { slug: 'alpha' } }],
    });
  });

  it('§4.1 select with dots picks inside a field set', async () => {
    expect(await readItem(101, 'select=seo.line,seo.flag')).toEqual({
      seo: { line: 'about alpha', flag: true },
    });
  });

  it('§4.1 select with dots does not pick inside a combination', async () => {
    expect(await readItem(101, 'select=slug,sections.caption')).toEqual({ slug: 'alpha' });
    expect(await readItem(101, 'select=slug,sections.hero.caption')).toEqual({ slug: 'alpha' });
  });

  it('§4.1 select of a combination, repeat, field set or reference returns all of it', async () => {
    const full = await readItem(101);
    const selected = await readItem(101, 'select=sections,related,seo,author');
    expect(selected).toEqual({
      sections: full.sections,
      related: full.related,
      seo: full.seo,
      author: full.author,
    });
  });

  it('§4.1 select of a field and a path inside it returns the whole field', async () => {
    expect((await readItem(101, 'select=author.name,author')).author).toEqual((await readItem(101)).author);
  });

  it('§4.1 select inside an empty reference returns the empty reference', async () => {
    expect(await readItem(103, 'select=author.name')).toEqual({ author: null });
  });

  it('§4.1 select over mixed models returns the fields that each item has', async () => {
    const { data } = await list('_id[in]=101,201&order=_id&select=slug,name');
    expect(data).toEqual([{ slug: 'alpha' }, { name: '花子' }]);
  });
});

describe('depth', () => {
  it('§4.1 depth defaults to 1', async () => {
    expect((await list('_id[eq]=101')).data[0]).toMatchObject({ author: { _id: 201, company: 301 } });
  });

  it('§4.1 depth 0 returns ids', async () => {
    const item = await readItem(101, 'depth=0');
    expect(item.author).toBe(201);
    expect(item.related).toMatchObject([{ article: 102, person: 202 }, { article: 101 }]);
    expect((item.sections as Item[])[1]).toEqual({ luid: 'quote', fields: { text: 'said', speaker: 201 } });
    expect(item.seo).toMatchObject({ person: 201 });
  });

  it('§4.1 depth 2 embeds two references deep', async () => {
    expect((await list('_id[eq]=101&depth=2')).data[0]).toMatchObject({
      author: { company: { _id: 301, flagship: 101 } },
    });
  });

  it('§4.1 depth 3 embeds three references deep, around a cycle too', async () => {
    expect((await list('_id[eq]=101&depth=3')).data[0]).toMatchObject({
      author: { company: { flagship: { _id: 101, author: 201 } } },
    });
  });

  it('§4.1 depth takes precedence over select', async () => {
    expect(await readItem(101, 'depth=0&select=author.name')).toEqual({ author: 201 });
    expect(await readItem(101, 'depth=1&select=author.company.name')).toEqual({ author: { company: 301 } });
  });

  it('§4.1 depth is a whole number from 0 to 3', async () => {
    for (const depth of ['-1', '4', '1.5', 'x', '', '1e0', '%201']) {
      expect((await request(`/contents?depth=${depth}`)).status, depth).toBe(400);
    }
  });
});

describe('format', () => {
  it('§4.1 format html is the default', async () => {
    const { data } = await list('_id[eq]=101&body[format]=html');
    expect(data).toEqual((await list('_id[eq]=101')).data);
  });

  it('§4.1 format text has no tags', async () => {
    const { data } = await list('_id[eq]=101&body[format]=text&select=body');
    expect(String(data[0]?.body).trim()).toBe('Hello World');
  });

  it('§4.1 format accepts markdown and portable_html', async () => {
    for (const format of ['markdown', 'portable_html']) {
      const { data } = await list(`_id[eq]=101&body[format]=${format}`);
      expect(data[0]?.body, format).toContain('World');
    }
  });

  it('§4.1 format reaches into a field set', async () => {
    const { seo } = await readItem(101, 'seo.rich[format]=text');
    expect(String((seo as Item).rich).trim()).toBe('Rich banana');
  });

  it('§4.1 format that is unknown, or of a field that is not flexible text, is rejected', async () => {
    expect((await request('/contents?body[format]=pdf')).status).toBe(400);
    expect((await request('/contents?body[format]=')).status).toBe(400);
    expect((await request('/contents?model=article&title[format]=html')).status).toBe(400);
  });
});
