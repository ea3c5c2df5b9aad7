import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import {
  type ImageRules,
  imagesOf,
  markdownImageOptions,
  needsDimensions,
  needsPlaceholders,
  withImageFacts,
} from '../../src/entries/item-images.ts';
import { createResolver } from '../../src/entries/reference-resolver.ts';
import { defineSpace, field, LuidConfigError } from '../../src/index.ts';
import type { Field } from '../../src/models/field-types/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { itemsWithoutLanguage } from './test-language-items.ts';

const assetsUrl = 'https://assets.example';
const media = (id: number) => ({ url: `${assetsUrl}/${id}/a.jpg`, alt: `${id}` });
const image = (id: number) => `<img src="${media(id).url}">`;
const size = { width: 1600, height: 1000 };

const models = {
  page: {
    title: field.text(),
    cover: field.media({ dimensions: true }),
    plain: field.media(),
    body: field.flexibleText({ images: { width: 300 } }),
    bare: field.flexibleText(),
    note: field.flexibleText({ format: 'markdown', images: { width: 9 } }),
    parts: field.repeat({
      photo: field.media({ dimensions: true }),
      text: field.flexibleText({ images: true }),
    }),
    next: field.reference('page'),
  },
} as const satisfies ModelMap;
const rules: ImageRules = { models, everyMedia: false, assetsUrl };

const urlsOf = (item: WireContent) => imagesOf(rules, item).measured;
const withDimensions = (item: WireContent, dimensionsOf: () => typeof size | undefined) =>
  withImageFacts(rules, item, { assetsUrl, dimensionsOf, placeholderOf: () => undefined });

const item = (id: number, fields: object = {}): WireContent => ({
  _id: id,
  _model: 'page',
  _title: '',
  _created_at: '2026-01-01T00:00:00Z',
  _updated_at: '2026-01-01T00:00:00Z',
  _published_at: null,
  _last_published_at: null,
  _status: 'published',
  ...fields,
});

describe('the images of an item', () => {
  const full = item(1, {
    cover: { ...media(1), url: `${media(1).url}?width=3` },
    plain: media(2),
    body: image(3),
    bare: image(4),
    note: `![a](${media(5).url} "t") ![b](https://evil.example/5.jpg)\n\n${image(6)}\n[not an image](${media(7).url})`,
    parts: [{ photo: media(8), text: image(9) }, { photo: null }],
  });

  test('are those of the fields with `dimensions` or `images`, at any depth', () => {
    expect(urlsOf(full)).toEqual([1, 3, 5, 6, 8, 9].map((id) => media(id).url));
    expect(imagesOf({ ...rules, everyMedia: true }, full).measured).toContain(media(2).url);
    expect(urlsOf(item(1, { cover: null, body: '', parts: [] }))).toEqual([]);
    expect(urlsOf(item(1, { cover: 'x', body: 5, parts: 'x' }))).toEqual([]);
    expect(urlsOf({ ...full, _model: '__proto__' })).toEqual([]);
  });

  test('are media of the space only, with a URL', () => {
    const covers = [{ url: 'https://evil.example/1/a.jpg' }, { url: [media(1).url] }, {}, 'x', ['x']];
    for (const cover of covers) expect(urlsOf(item(1, { cover }))).toEqual([]);
    for (const cover of covers) expect(withDimensions(item(1, { cover }), () => size).cover).toBe(cover);
  });

  test('are not searched for in fields of other types', () => {
    const odd = { page: { data: { type: 'unknown', images: true } } } as unknown as ModelMap;
    const everything = { models: odd, everyMedia: true, assetsUrl };
    expect(imagesOf(everything, item(1, { data: media(1) })).measured).toEqual([]);
    expect(imagesOf(everything, item(1, { data: image(1) })).measured).toEqual([]);
  });

  test('in Markdown are found with and without alt text', () => {
    const note = `![](${media(1).url}) ![two words](<${media(2).url}>) ![a]( ${media(3).url} "t")`;
    expect(urlsOf(item(1, { note }))).toEqual([1, 2, 3].map((id) => media(id).url));
  });

  test('in Markdown are found with the URLs that are rendered', () => {
    const note = `![a](${assetsUrl}/photo%20(1).jpg) ![see [1]](<${assetsUrl}/my photo.jpg>) ![a][b]\n\n[b]: ${assetsUrl}/c.jpg?a=1&amp;width=3`;
    expect(urlsOf(item(1, { note }))).toEqual([
      `${assetsUrl}/photo%20(1).jpg`,
      `${assetsUrl}/my%20photo.jpg`,
      `${assetsUrl}/c.jpg?a=1`,
    ]);
  });

  test('get their dimensions, and everything else is unchanged', () => {
    const shown = withDimensions(full, () => size) as unknown as Record<string, never>;
    expect(shown.cover).toEqual({ ...media(1), url: `${media(1).url}?width=3`, ...size });
    expect(shown.plain).toBe(full.plain);
    expect(shown.body).toContain('width="300" height="188"');
    expect(shown.bare).toBe(full.bare);
    expect(shown.note).toBe(full.note);
    expect(shown.parts?.[0]).toMatchObject({
      photo: { ...media(8), ...size },
      text: expect.stringContaining('srcset'),
    });
    const unknown = withDimensions(full, () => undefined);
    expect(unknown.cover).toBe(full.cover);
    expect(unknown.body).toBe(`<img loading="lazy" decoding="async" src="${media(3).url}">`);
  });

  test('are none: the item is returned itself', () => {
    const bare = item(1, { title: 'x', bare: image(4), body: '<p>no image</p>' });
    expect(withDimensions(bare, () => size)).toBe(bare);
  });

  test('are measured only if a field or the space has `dimensions` or `images`', () => {
    expect(needsDimensions(models, false)).toBe(true);
    expect(needsDimensions({ page: { cover: field.media() } }, false)).toBe(false);
    expect(needsDimensions({ page: { cover: field.media({ dimensions: false }) } }, false)).toBe(false);
    expect(needsDimensions({ page: { cover: field.media() } }, true)).toBe(true);
    expect(needsDimensions({ page: { cover: field.media({ dimensions: true }) } }, false)).toBe(true);
    expect(
      needsDimensions({ page: { set: field.fieldSet({ b: field.flexibleText({ images: true }) }) } }, false),
    ).toBe(true);
  });

  test('are not measured because of the name of a field', () => {
    const named = (images: Field) => ({ page: { images, dimensions: images, placeholder: images } });
    const parts = field.repeat({ images: field.media(), dimensions: field.text({ required: true }) });
    expect(needsDimensions(named(parts), false)).toBe(false);
    expect(needsDimensions({ images: { title: field.text() } }, false)).toBe(false);
    expect(needsDimensions(named(field.repeat({ a: field.media({ dimensions: true }) })), false)).toBe(true);
    expect(
      needsDimensions({ page: { list: field.combination({ images: { a: models.page.body } }) } }, false),
    ).toBe(true);
  });

  test('in Markdown have the options of its field', () => {
    expect(markdownImageOptions(models.page, 'note')).toEqual({ width: 9 });
    expect(markdownImageOptions(models.page, 'body')).toBeUndefined();
    expect(markdownImageOptions(models.page, 'bare')).toBeUndefined();
    expect(markdownImageOptions(models.page, 'none')).toBeUndefined();
    const plain = { text: field.flexibleText({ format: 'markdown', images: true }) };
    expect(markdownImageOptions(plain, 'text')).toEqual({});
  });
});

test('images in hostile Markdown are found in linear time', () => {
  // To read each of these to the end of the text would take hours.
  const note = `${'!['.repeat(1_000_000)}a](${media(1).url})`;
  expect(urlsOf(item(1, { note }))).toEqual([media(1).url]);
});

test('the fingerprint covers image dimensions of embedded items', () => {
  const pages = [item(1, { next: 2 }), item(2, { cover: media(1) })];
  const languageItems = itemsWithoutLanguage(...pages);
  const { schema } = defineSpace({ baseUrl: 'https://x.example/v1', models });
  const resolverWith = (width: number) =>
    createResolver({
      models,
      languageItems,
      schema: () => schema('page', { depth: 0 }) as never,
      hash: (text) => text,
      onInvalid: 'fail',
      prepare: (one) => withDimensions(one, () => ({ width, height: 10 })),
    });
  const first = pages[0] as WireContent;
  expect(resolverWith(5).fingerprint(first, 1)).not.toBe(resolverWith(6).fingerprint(first, 1));
  expect(resolverWith(5).fingerprint(first, 0)).toBe(resolverWith(6).fingerprint(first, 0));
  expect(resolverWith(5).resolve(first, 1).data).toMatchObject({
    next: { cover: { width: 5, height: 10 } },
  });
});

describe('an invalid definition is rejected', () => {
  const refuse = (define: () => ModelMap, text: RegExp) => {
    const make = () => defineSpace({ baseUrl: 'https://x.example/v1', models: define() as never });
    expect(make).toThrow(LuidConfigError);
    expect(make).toThrow(text);
  };
  test('unknown image options', () => {
    // @ts-expect-error: no such option.
    const misspelt = () => ({ a: { b: field.flexibleText({ images: { widht: 5 } }) } });
    refuse(misspelt, /a\.b\.images has the unknown option 'widht'\n.*Did you mean 'width'\?/);
    // @ts-expect-error: true, false or options.
    refuse(() => ({ a: { b: field.flexibleText({ images: 'yes' }) } }), /must be true, false or options/);
    refuse(
      () => ({ a: { b: field.flexibleText({ images: true, format: 'text' }) } }),
      /with the format text/,
    );
    refuse(
      () => ({ a: { b: field.flexibleText({ images: {}, format: 'portable_html' }) } }),
      /with the format portable_html/,
    );
  });
  test('`dimensions` of the space that is not a boolean', () => {
    const models = { a: { b: field.media() } };
    // @ts-expect-error: true or false.
    expect(() => defineSpace({ models, dimensions: 'yes' })).toThrow(
      /dimensions must be true or false, got 'yes'/,
    );
  });
});

describe('placeholders', () => {
  const previewed = {
    page: {
      both: field.media({ dimensions: true, placeholder: true }),
      cover: field.media({ placeholder: true }),
      plain: field.media(),
      body: field.flexibleText({ images: { placeholder: true } }),
      other: field.flexibleText({ images: true }),
      parts: field.repeat({ photo: field.media({ placeholder: true }) }),
    },
  } as const satisfies ModelMap;
  const previewRules: ImageRules = { models: previewed, everyMedia: false, assetsUrl };
  const full = item(1, {
    both: media(1),
    cover: media(2),
    plain: media(3),
    body: `${image(4)}<img src="${media(5).url}?width=20&amp;height=10&amp;fit=crop">`,
    other: image(6),
    parts: [{ photo: media(7) }],
  });
  const urls = (...ids: number[]) => ids.map((id) => media(id).url);
  const placeholder = { thumbHash: 'x', color: '#000000', hasAlpha: false };

  test('are needed of fields and texts with the option', () => {
    expect(imagesOf(previewRules, full)).toEqual({
      measured: urls(1, 4, 5, 6),
      previewed: urls(1, 2, 4, 5, 7),
    });
    expect([previewed, models].map((one) => needsPlaceholders(one))).toEqual([true, false]);
    expect(needsPlaceholders({ page: { cover: field.media({ placeholder: false }) } })).toBe(false);
    expect(needsPlaceholders({ page: { body: previewed.page.body } })).toBe(true);
    expect(needsPlaceholders({ form: { placeholder: field.text({ required: true }) } })).toBe(false);
    expect(needsDimensions({ page: { cover: previewed.page.cover } }, false)).toBe(false);
  });

  test('are added to these, and null where there is none', () => {
    const shown = withImageFacts(previewRules, full, {
      assetsUrl,
      dimensionsOf: () => size,
      placeholderOf: (src) => (src === media(7).url ? undefined : placeholder),
      previewOf: (src, ratio) => ({ 'data-preview': `${src.slice(-7)} ${ratio}` }),
    }) as unknown as Record<string, unknown>;
    expect(shown).toMatchObject({
      both: { ...media(1), ...size, placeholder },
      cover: { ...media(2), placeholder },
      parts: [{ photo: { ...media(7), placeholder: null } }],
    });
    expect(shown.cover).not.toHaveProperty('width');
    expect(shown.plain).toBe(full.plain);
    expect(shown.body).toContain('data-preview="4/a.jpg undefined"');
    expect(shown.body).toContain('data-preview="5/a.jpg 0.5"');
    expect(shown.other).not.toContain('data-preview');
  });
});
