import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import {
  mapAllReferences,
  mapMedia,
  mapReferences,
  mapValues,
  visitMedia,
  visitReferences,
} from '../../src/models/walk.ts';

const FIELDS = {
  title: field.text(),
  cover: field.media(),
  author: field.reference('author'),
  seo: field.fieldSet({ image: field.media(), parent: field.reference() }),
  related: field.repeat({ article: field.reference('article'), note: field.text() }),
  sections: field.combination({
    hero: { image: field.media() },
    gallery: { pictures: field.repeat({ image: field.media(), by: field.reference('author') }) },
  }),
};

const VALUES = {
  title: 'A title',
  cover: 'm1',
  author: 1,
  seo: { image: 'm2', parent: 2 },
  related: [{ article: 3, note: 'x' }, { article: 4 }],
  sections: [
    { luid: 'hero', fields: { image: 'm3' } },
    { luid: 'unknown', fields: { image: 'not visited' } },
    { luid: 'gallery', fields: { pictures: [{ image: 'm4', by: 5 }] } },
  ],
  unnamed: 9,
};

test('every reference is visited, at any depth, with its path', () => {
  const seen: [string, unknown][] = [];
  visitReferences(FIELDS, VALUES, ({ path, value }) => seen.push([path, value]));
  expect(seen).toEqual([
    ['author', 1],
    ['seo.parent', 2],
    ['related[0].article', 3],
    ['related[1].article', 4],
    ['sections[2].fields.pictures[0].by', 5],
  ]);
});

test('every media is visited, at any depth, with its path', () => {
  const seen: [string, unknown][] = [];
  visitMedia(FIELDS, VALUES, ({ path, value }) => seen.push([path, value]));
  expect(seen).toEqual([
    ['cover', 'm1'],
    ['seo.image', 'm2'],
    ['sections[0].fields.image', 'm3'],
    ['sections[2].fields.pictures[0].image', 'm4'],
  ]);
});

test('empty, missing and malformed values are skipped', () => {
  const values = {
    cover: null,
    seo: 'text',
    related: [null, 3, { article: null }],
    sections: [{ luid: 'hero' }, 'x'],
  };
  for (const map of [mapReferences, mapMedia, mapValues]) {
    expect(map(FIELDS, values, () => 'changed')).toBe(values);
  }
});

test('references that are null are visited too, at any depth, if these are asked for', () => {
  const values = { cover: null, author: null, seo: null, related: [{ article: null }, { article: 3 }, {}] };
  expect(mapAllReferences(FIELDS, values, ({ value }) => value ?? 'empty')).toEqual({
    ...values,
    author: 'empty',
    related: [{ article: 'empty' }, { article: 3 }, {}],
  });
});

const link = fc.option(fc.nat(50));
const group = fc.record({ image: link, parent: link }, { requiredKeys: [] });
const values = fc.record(
  {
    title: fc.string(),
    cover: link,
    author: link,
    seo: fc.option(group),
    related: fc.array(fc.record({ article: link, note: fc.string() })),
    sections: fc.array(
      fc.oneof(
        fc.record({ luid: fc.constant('hero'), fields: fc.record({ image: link }) }),
        fc.record({
          luid: fc.constant('gallery'),
          fields: fc.record({ pictures: fc.array(fc.record({ image: link, by: link })) }),
        }),
      ),
    ),
  },
  { requiredKeys: [] },
);

test('mapping replaces the values that `change` replaces, and never modifies its input', () => {
  fc.assert(
    fc.property(values, fc.func(fc.boolean()), (item, picks) => {
      const before = structuredClone(item);
      const mapped = mapValues(FIELDS, item, ({ path, value }) => (picks(path) ? { was: value } : value));
      const wrapped: string[] = [];
      const back = mapValues(FIELDS, mapped, ({ path, value }) => {
        if (typeof value !== 'object' || value === null) return value;
        wrapped.push(path);
        return (value as { was: unknown }).was;
      });
      expect(item).toEqual(before);
      expect(back).toEqual(before);
      expect(wrapped.every((path) => picks(path))).toBe(true);
      if (wrapped.length === 0) expect(mapped).toBe(item);
    }),
  );
});
