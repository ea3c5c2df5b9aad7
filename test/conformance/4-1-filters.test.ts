import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';

const { request, ids, list, status } = startServer();

/** The ids of the matching articles, ascending. */
const articles = (filter: string, key: 'pub' | 'all' = 'pub') =>
  ids(`model=article&order=_id&${filter}`, key);

describe('each operator', () => {
  it('§4.1 eq compares text', async () => {
    expect(await articles('slug[eq]=beta')).toEqual([102]);
    expect(await articles('slug[eq]=bet')).toEqual([]);
    expect(await articles('slug[eq]=BETA')).toEqual([]);
  });

  it('§4.1 eq compares multi-line text, line breaks and all', async () => {
    expect(await ids('multiline[eq]=first%0D%0Asecond')).toEqual([401]);
    expect(await ids('multiline[eq]=first%0Asecond')).toEqual([]);
  });

  it('§4.1 eq treats commas literally', async () => {
    expect(await ids('model=every&text[eq]=one, two')).toEqual([401]);
  });

  it('§4.1 eq compares booleans', async () => {
    expect(await articles('featured[eq]=true')).toEqual([101, 103]);
    expect(await articles('featured[eq]=false')).toEqual([102]);
  });

  it('§4.1 eq compares the option value of a single select', async () => {
    expect(await articles('category[eq]=event')).toEqual([102, 108]);
  });

  it('§4.1 eq compares the content id of a reference', async () => {
    expect(await articles('author[eq]=201')).toEqual([101]);
  });

  it('§4.1 in accepts several values', async () => {
    expect(await articles('slug[in]=beta,alpha,none')).toEqual([101, 102]);
    expect(await articles('category[in]=news,event')).toEqual([101, 102, 103, 105, 108]);
    expect(await articles('author[in]=201,202')).toEqual([101, 102]);
    expect(await ids('_id[in]=301,101&order=_id')).toEqual([101, 301]);
  });

  it('§4.1 lt is less than', async () => {
    expect(await articles('starts_at[lt]=2026-05-01T00:00:00Z')).toEqual([113]);
  });

  it('§4.1 lte is at most', async () => {
    expect(await articles('starts_at[lte]=2026-05-01T00:00:00Z')).toEqual([101, 112, 113]);
  });

  it('§4.1 gt is greater than', async () => {
    expect(await articles('starts_at[gt]=2026-05-02T00:00:00Z')).toEqual([103]);
  });

  it('§4.1 gte is at least', async () => {
    expect(await articles('starts_at[gte]=2026-05-02T00:00:00Z')).toEqual([102, 103]);
  });

  it('§4.1 contains in a field needs every keyword in that field', async () => {
    expect(await articles('lead[contains]=apple')).toEqual([101, 102, 103]);
    expect(await articles('lead[contains]=apple,pie')).toEqual([102]);
    expect(await articles('body[contains]=World')).toEqual([101]);
    expect(await articles('body[contains]=strong')).toEqual([102]);
    expect(await articles('slug[contains]=World')).toEqual([]);
  });

  it('§4.1 has finds an option value of a multi select', async () => {
    expect(await articles('tags[has]=red')).toEqual([101, 102]);
    expect(await articles('tags[has]=re')).toEqual([]);
    expect(await articles('tags[has]=red,blue')).toEqual([]);
  });

  it('§4.1 several filters must all be met', async () => {
    expect(await articles('category[eq]=news&featured[eq]=true&slug[eq]=gamma')).toEqual([103]);
    expect(await articles('starts_at[gte]=2026-05-01T00:00:00Z&starts_at[lt]=2026-05-02T00:00:00Z')).toEqual([
      101, 112,
    ]);
  });

  it('§4.1 filters decide the total', async () => {
    expect((await list('model=filler&group[eq]=even&limit=1')).total).toBe(60);
  });

  it('§4.1 an empty value matches no comparison', async () => {
    expect(await articles('starts_at[gt]=0001-01-01T00:00:00Z&_id[eq]=111')).toEqual([]);
    expect(await articles('featured[eq]=false&_id[eq]=111')).toEqual([]);
  });

  it('§4.1 an empty operand matches empty text and empty single selects', async () => {
    for (const condition of [
      'lead[eq]=',
      'lead[in]=x,',
      'lead[contains]=',
      'category[eq]=',
      'category[in]=x,',
    ]) {
      expect(await articles(`${condition}&_id[eq]=111`), condition).toEqual([111]);
    }
  });
});

describe('languages', () => {
  it('§4.1 filters compare in the requested language', async () => {
    expect(await articles('title[eq]=Alpha&lang=en')).toEqual([101]);
    expect(await articles('title[eq]=アルファ&lang=en')).toEqual([]);
    expect(await articles('featured[eq]=false&lang=en')).toEqual([101]);
  });

  it('§4.1 filters compare the main language where it is the fallback', async () => {
    expect(await articles('title[eq]=ベータ&lang=en&lang_fallback=true')).toEqual([102]);
    expect(await articles('title[eq]=アルファ&lang=en&lang_fallback=true')).toEqual([]);
  });

  it('§4.1 filters on referenced content compare in the requested language', async () => {
    expect(await articles('author.name[eq]=Hanako&lang=en')).toEqual([101]);
    expect(await articles('author.name[eq]=花子&lang=en')).toEqual([]);
  });
});

describe('system properties', () => {
  it('§4.1 filters apply to the system times', async () => {
    expect(await articles('_updated_at[gte]=2026-02-15T00:00:00Z')).toEqual([101, 103, 105]);
    expect(await articles('_created_at[lt]=2026-01-01T00:00:00Z')).toEqual([112, 113]);
    expect(await articles('_published_at[lte]=2025-01-02T00:00:00Z')).toEqual([112, 113]);
    expect(await articles('_last_published_at[gt]=2026-02-01T00:00:00Z')).toEqual([101]);
  });

  it('§4.1 filters on a time that is null do not match', async () => {
    expect(await articles('_published_at[gt]=2000-01-01T00:00:00Z&_id[eq]=104', 'all')).toEqual([]);
    expect(await articles('_published_at[lt]=2100-01-01T00:00:00Z&_id[eq]=104', 'all')).toEqual([]);
  });

  it('§4.1 filters apply to _id, _model, _title, _status and _space', async () => {
    expect(await ids('_id[eq]=101')).toEqual([101]);
    expect(await ids('_model[eq]=company')).toEqual([301]);
    expect(await ids('_model[in]=company,link&order=_id')).toEqual([301, 351, 352]);
    expect(await ids('_title[eq]=アルファ')).toEqual([101]);
    expect(await ids('_title[contains]=デルタ', 'all')).toEqual([105]);
    expect(await articles('_status[eq]=draft', 'all')).toEqual([104, 109]);
    expect(await ids('_space[eq]=shop&order=_id')).toEqual([108, 205]);
  });

  it('§4.1 datetimes may have Z or a numeric offset, and compare as instants', async () => {
    for (const time of [
      '2026-05-01T09:00:00%2B09:00',
      '2026-04-30T19:00:00-05:00',
      '2026-05-01T00:00:00.000Z',
    ]) {
      expect(await articles(`starts_at[lte]=${time}`), time).toEqual([101, 112, 113]);
      expect(await articles(`starts_at[lt]=${time}`), time).toEqual([113]);
    }
  });

  it('§4.1 invalid datetimes, and those without an offset, are rejected', async () => {
    const bad = [
      '2026-05-01',
      '2026-05-01T00:00:00',
      '2026-02-30T00:00:00Z',
      '2026-05-01T25:00:00Z',
      'yesterday',
      '2026-05-01T00:00:00%2B0900',
      '2026-05-01T00:00:00%2B99:99',
    ];
    for (const time of [...bad, '', '1777593600', '20260501T000000Z']) {
      expect(await status(`/contents?model=article&starts_at[lt]=${time}`), time).toBe(400);
      expect(await status(`/contents?_updated_at[lt]=${time}`), time).toBe(400);
    }
  });

  it('§4.1 a boolean operand is true or false', async () => {
    for (const operand of ['yes', '1', '', 'TRUE']) {
      expect(await status(`/contents?model=article&featured[eq]=${operand}`), operand).toBe(400);
    }
  });

  it('§4.1 a reference operand is a content id', async () => {
    for (const operand of ['x', '1.5', '201x']) {
      expect(await status(`/contents?model=article&author[eq]=${operand}`), operand).toBe(400);
      expect(await status(`/contents?model=article&author[in]=201,${operand}`), operand).toBe(400);
      expect(await status(`/contents?_id[eq]=${operand}`), operand).toBe(400);
    }
  });
});

describe('paths', () => {
  it('§4.1 a path into a field set', async () => {
    expect(await articles('seo.line[eq]=about alpha')).toEqual([101]);
    expect(await articles('seo.choice[in]=low,high')).toEqual([101, 102]);
    expect(await articles('seo.flag[eq]=false')).toEqual([102]);
    expect(await articles('seo.moment[gt]=2026-06-01T00:00:00Z')).toEqual([102]);
    expect(await articles('seo.choices[has]=y')).toEqual([101]);
    expect(await articles('seo.rich[contains]=banana')).toEqual([101]);
    expect(await articles('seo.person[eq]=202')).toEqual([102]);
  });

  it('§4.1 a path into referenced content', async () => {
    expect(await articles('author.name[eq]=太郎')).toEqual([102]);
    expect(await articles('author.name[contains]=花')).toEqual([101]);
    expect(await articles('author.active[eq]=true')).toEqual([101]);
    expect(await articles('author.skills[has]=wood')).toEqual([101, 102]);
    expect(await articles('author.born[lt]=2000-01-01T00:00:00Z')).toEqual([101]);
    expect(await articles('author.company[eq]=301')).toEqual([101]);
  });

  it('§4.1 a path into referenced content works at any depth', async () => {
    expect(await articles('author.name[eq]=太郎&depth=0')).toEqual([102]);
  });

  it('§4.1 a path into referenced content uses the data that the key reads', async () => {
    expect(await articles('author.name[eq]=下書き', 'pub')).toEqual([]);
    expect(await articles('author.name[eq]=下書き', 'all')).toEqual([104, 107]);
    expect(await articles('author.name[eq]=次郎', 'pub')).toEqual([105]);
    expect(await articles('author.name[eq]=次郎', 'all')).toEqual([]);
  });

  it('§4.1 a path through a reference to any model', async () => {
    expect(await ids('model=link&to.slug[eq]=alpha')).toEqual([351]);
    expect(await ids('model=link&to.name[eq]=太郎')).toEqual([352]);
  });

  it('§4.1 a path into a repeat matches when one entry does', async () => {
    expect(await articles('related.line[eq]=self')).toEqual([101]);
    expect(await articles('related.flag[eq]=false')).toEqual([101, 102]);
    expect(await articles('related.choice[eq]=low')).toEqual([101, 102]);
    expect(await articles('related.article[eq]=102')).toEqual([101]);
    expect(await articles('related.person[eq]=201')).toEqual([102]);
  });

  it('§4.1 a path into a repeat: two conditions may be met by two entries', async () => {
    expect(await articles('related.line[eq]=near&related.choice[eq]=high')).toEqual([101]);
  });

  it('§4.1 inside a repeat the fields of referenced content cannot be conditioned', async () => {
    expect(await status('/contents?model=article&related.article.slug[eq]=beta')).toBe(400);
    expect(await status('/contents?model=article&related.person.name[eq]=太郎')).toBe(400);
  });

  it('§4.1 an unknown path is rejected', async () => {
    for (const path of [
      'seo.nope',
      'author.nope',
      'related.nope',
      'title.nope',
      'cover.url',
      'seo.',
      '.seo',
    ]) {
      expect(await status(`/contents?model=article&${path}[eq]=x`), path).toBe(400);
    }
  });
});

describe('over mixed models', () => {
  it('§4.1 items of models without the field do not match', async () => {
    expect(await ids('name[eq]=会社')).toEqual([301]);
    expect((await list('title[contains]=filler')).total).toBe(120);
  });

  it('§4.1 a field that no requested model has is rejected', async () => {
    expect(await status('/contents?nope[eq]=x')).toBe(400);
    expect(await status('/contents?model=company&title[eq]=x')).toBe(400);
  });

  it('§4.1 an operator that does not exist is rejected on a field', async () => {
    expect(await status('/contents?model=article&title[like]=x')).toBe(400);
    expect(await status('/contents?model=article&title[]=x')).toBe(400);
  });
});

describe('how parameters are written', () => {
  it('§4.1 brackets may be encoded or not', async () => {
    expect(await articles('slug%5Beq%5D=beta')).toEqual([102]);
    expect(await articles('slug[eq]=beta')).toEqual([102]);
  });

  it('§4.1 values are decoded', async () => {
    expect(await articles('seo.line[eq]=about%20alpha')).toEqual([101]);
    expect(await articles('seo.line[eq]=about+alpha')).toEqual([101]);
    expect(await articles('slug[in]=beta%2Calpha')).toEqual([101, 102]);
  });

  it('§4.1 unknown parameters are ignored', async () => {
    const plain = await request('/contents?model=article');
    for (const extra of [
      'foo=bar',
      'title=x',
      'nope[nope]=1',
      '_=1',
      'toString=1',
      '__proto__=1',
      '&&',
      '=',
    ]) {
      const { status, body } = await request(`/contents?model=article&${extra}`);
      expect(status, extra).toBe(200);
      expect(body, extra).toEqual(plain.body);
    }
  });
});
