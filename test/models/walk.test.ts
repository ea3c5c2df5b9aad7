import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { mapLeaves, visitLeaves } from '../../src/models/walk.ts';

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

test('every reference and media is visited, however deep, with its path', () => {
  const values = {
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
  const seen: [string, unknown][] = [];
  visitLeaves(FIELDS, values, ({ path, value }) => seen.push([path, value]));
  expect(seen).toEqual([
    ['cover', 'm1'],
    ['author', 1],
    ['seo.image', 'm2'],
    ['seo.parent', 2],
    ['related[0].article', 3],
    ['related[1].article', 4],
    ['sections[0].fields.image', 'm3'],
    ['sections[2].fields.pictures[0].image', 'm4'],
    ['sections[2].fields.pictures[0].by', 5],
  ]);
});

test('empty, missing and misshapen values are passed over', () => {
  const values = {
    cover: null,
    seo: 'text',
    related: [null, 3, { article: null }],
    sections: [{ luid: 'hero' }, 'x'],
  };
  expect(mapLeaves(FIELDS, values, () => 'changed')).toBe(values);
});

const leaf = fc.option(fc.nat(50));
const group = fc.record({ image: leaf, parent: leaf }, { requiredKeys: [] });
const values = fc.record(
  {
    title: fc.string(),
    cover: leaf,
    author: leaf,
    seo: fc.option(group),
    related: fc.array(fc.record({ article: leaf, note: fc.string() })),
    sections: fc.array(
      fc.oneof(
        fc.record({ luid: fc.constant('hero'), fields: fc.record({ image: leaf }) }),
        fc.record({
          luid: fc.constant('gallery'),
          fields: fc.record({ pictures: fc.array(fc.record({ image: leaf, by: leaf })) }),
        }),
      ),
    ),
  },
  { requiredKeys: [] },
);

test('mapping changes just what the change answers, and never its input', () => {
  fc.assert(
    fc.property(values, fc.func(fc.boolean()), (item, picks) => {
      const before = structuredClone(item);
      const mapped = mapLeaves(FIELDS, item, ({ path, value }) => (picks(path) ? { was: value } : value));
      const wrapped: string[] = [];
      const back = mapLeaves(FIELDS, mapped, ({ path, value }) => {
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
