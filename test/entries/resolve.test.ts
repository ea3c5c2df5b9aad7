import { describe, expect, test } from 'vitest';
import { createResolver } from '../../src/entries/resolve.ts';
import { field } from '../../src/index.ts';
import { wire } from '../models/content.ts';

const models = {
  author: { name: field.text(), best: field.reference('article') },
  article: {
    author: field.reference('author'),
    any: field.reference(),
    list: field.repeat({ to: field.reference('article') }),
  },
};

function resolver(...contents: ReturnType<typeof wire>[]) {
  const warnings: string[] = [];
  const items = new Map(contents.map((item) => [item._id, item]));
  const { resolve } = createResolver({
    models,
    items,
    onUndeclared: (place, id) => warnings.push(`${place} ${id}`),
  });
  return { resolve, warnings };
}

const mori = wire('author', { name: 'Mori', best: 2 }, 1);
const harbour = wire('article', { author: 1, list: [{ to: 2 }, { to: 3 }] }, 2);
const tea = wire('article', { author: 1 }, 3);

describe('an item is resolved', () => {
  test('to ids at depth 0', () => {
    expect(resolver(mori, harbour, tea).resolve(harbour, 0)).toEqual(harbour);
  });

  test('to content up to its depth, round circles, and to ids past it', () => {
    const { resolve } = resolver(mori, harbour, tea);
    expect(resolve(harbour, 1)).toEqual({ ...harbour, author: mori, list: [{ to: harbour }, { to: tea }] });
    expect(resolve(mori, 3).best).toMatchObject({ author: { best: { author: 1 } } });
  });

  test('once for each depth, however many others embed it', () => {
    const { resolve } = resolver(mori, harbour, tea);
    expect(resolve(harbour, 2).author).toBe(resolve(tea, 2).author);
  });

  test('with empty fields where a target is gone, at the end of the depth too', () => {
    const { resolve } = resolver(harbour);
    expect(resolve(harbour, 0)).toEqual({ ...harbour, author: null, list: [{ to: 2 }, { to: null }] });
    expect(resolve(harbour, 1)).toMatchObject({ author: null, list: [{ to: {} }, { to: null }] });
  });

  test('with an id, and one warning a field, where the target’s model is not declared', () => {
    const [one, two] = [wire('article', { any: 77 }, 4), wire('article', { any: 78 }, 5)];
    const { resolve, warnings } = resolver(one, two);
    expect([resolve(one, 1).any, resolve(two, 1).any]).toEqual([77, 78]);
    expect(warnings).toEqual(['article.any 77']);
  });

  test('without changing what was read', () => {
    const before = structuredClone([mori, harbour, tea]);
    resolver(mori, harbour, tea).resolve(harbour, 5);
    expect([mori, harbour, tea]).toEqual(before);
  });
});
