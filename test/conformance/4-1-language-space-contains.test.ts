import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';

const { request, ids, list, readItem } = startServer();

describe('languages', () => {
  it('§4.1 lang omitted means the main language', async () => {
    expect((await list('_id[eq]=101')).data[0]).toMatchObject({ title: 'アルファ' });
    expect(await ids('model=article')).not.toContain(110);
  });

  it('§4.1 lang may name the main language', async () => {
    expect(await ids('model=article&lang=ja')).toEqual(await ids('model=article'));
  });

  it('§4.1 lang: content without data in that language does not match', async () => {
    expect(await ids('model=article&lang=en&order=_id')).toEqual([101, 103, 105, 108, 110]);
    expect(await ids('model=article&lang=fr')).toEqual([101]);
    expect((await list('model=article&lang=fr')).total).toBe(1);
  });

  it('§4.1 lang: a language that only drafts have is visible to a drafts key only', async () => {
    expect(await ids('lang=en&_id[eq]=107', 'pub')).toEqual([]);
    expect(await ids('lang=en&_id[eq]=107', 'all')).toEqual([107]);
  });

  it('§4.1 lang applies to embedded content', async () => {
    expect((await readItem(101, 'lang=en')).author).toMatchObject({ name: 'Hanako' });
  });

  it('§4.1 lang that is unknown is rejected', async () => {
    for (const lang of ['de', '', 'EN', '__proto__']) {
      expect((await request(`/contents?lang=${lang}`)).status, lang).toBe(400);
    }
  });

  it('§4.1 lang_fallback defaults to false', async () => {
    expect(await ids('model=article&lang=en&lang_fallback=false')).toEqual(
      await ids('model=article&lang=en'),
    );
  });

  it('§4.1 lang_fallback=true returns main-language data where the language is missing', async () => {
    const { data } = await list('model=article&lang=en&lang_fallback=true&order=_id&select=_id,title');
    expect(data).toContainEqual({ _id: 101, title: 'Alpha' });
    expect(data).toContainEqual({ _id: 102, title: 'ベータ' });
    expect(data).toContainEqual({ _id: 110, title: 'Kappa' });
    expect(data).toHaveLength(10);
  });

  it('§4.1 lang_fallback does not include items without main-language data', async () => {
    expect(await ids('model=article&lang=fr&lang_fallback=true')).not.toContain(110);
  });

  it('§4.1 lang_fallback applies to embedded content', async () => {
    expect((await readItem(103, 'lang=en&lang_fallback=true')).author).toMatchObject({ name: '太郎' });
    expect((await readItem(103, 'lang=en')).author).toBeNull();
  });

  it('§4.1 lang_fallback is true or false', async () => {
    for (const value of ['yes', '1', '', 'TRUE']) {
      expect((await request(`/contents?lang=en&lang_fallback=${value}`)).status, value).toBe(400);
    }
  });
});

describe('space', () => {
  it('§4.1 space restricts to a sub-space', async () => {
    expect(await ids('space=shop&order=_id')).toEqual([108, 205]);
  });

  it('§4.1 space _parent restricts to the parent', async () => {
    expect(await ids('model=article&space=_parent&order=_id')).toEqual([
      101, 102, 103, 105, 107, 111, 112, 113,
    ]);
  });

  it('§4.1 space omitted covers every space that the key may read', async () => {
    expect(await ids('model=article')).toContain(108);
  });

  it('§4.1 space that does not exist is rejected', async () => {
    for (const space of ['nope', '', '__proto__']) {
      expect((await request(`/contents?space=${space}`)).status, space).toBe(400);
    }
  });
});

describe('contains', () => {
  it('§4.1 contains finds a keyword in single-line text', async () => {
    expect(await ids('contains=gamma')).toEqual([103]);
  });

  it('§4.1 contains finds a keyword in multi-line text', async () => {
    expect(await ids('model=article&contains=pie')).toEqual([102]);
  });

  it('§4.1 contains finds a keyword in flexible text, not in its tags', async () => {
    expect(await ids('model=article&contains=World')).toEqual([101]);
    expect(await ids('model=article&contains=strong')).toEqual([102]);
  });

  it('§4.1 contains requires all of several keywords, in any text field', async () => {
    expect(await ids('contains=apple,World')).toEqual([101]);
    expect(await ids('contains=apple,nowhere')).toEqual([]);
  });

  it('§4.1 contains finds texts inside field sets, repeats and combinations', async () => {
    expect(await ids('contains=banana')).toEqual([101]);
    expect(await ids('model=article&contains=near')).toEqual([101]);
    expect(await ids('contains=cherry')).toEqual([101]);
  });

  it('§4.1 contains does not look into other fields, nor into referenced content', async () => {
    expect(await ids('contains=event')).toEqual([]);
    expect(await ids('contains=花子')).toEqual([201]);
  });

  it('§4.1 contains compares in the requested language', async () => {
    expect(await ids('contains=english&lang=en')).toEqual([101]);
    expect(await ids('contains=english')).toEqual([]);
  });

  it('§4.1 contains is case-insensitive', async () => {
    expect(await ids('model=article&contains=APPLE&order=_id')).toEqual([101, 102, 103]);
  });
});
