import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { type Issue, rootCauses } from '../../src/entries/problems/invalid-item.ts';
import { createResolver, type OnInvalid } from '../../src/entries/reference-resolver.ts';
import { defineSpace, field } from '../../src/index.ts';
import { itemHash } from '../../src/replica/store/segments/item-facts.ts';
import { wire } from '../models/content.ts';
import { itemsInLanguage, itemsWithoutLanguage } from './test-language-items.ts';

const space = defineSpace({
  models: {
    author: { name: field.text({ required: true }), best: field.reference('article') },
    article: {
      author: field.reference('author'),
      editor: field.reference('author', { required: true }),
      any: field.reference(),
      either: field.reference(['author', 'article']),
      cover: field.media(),
      list: field.repeat({ to: field.reference('article') }),
    },
  },
});

function resolverOf(...contents: WireContent[]) {
  return resolverWith({}, ...contents);
}

function resolverWith(options: { onInvalid?: OnInvalid }, ...contents: WireContent[]) {
  const problems: [number, readonly Issue[]][] = [];
  const hashed: string[] = [];
  let prepared = 0;
  const resolver = createResolver({
    models: space.models,
    languageItems: itemsWithoutLanguage(...contents),
    schema: (model) => space.schema(model as 'author', { depth: 0 }),
    hash: (text) => {
      hashed.push(text);
      return `<${text}>`;
    },
    hashItem: itemHash,
    onInvalid: 'fail',
    ...options,
    prepare: (item) => {
      prepared += 1;
      return item;
    },
  });
  const resolve = (item: WireContent, depth: number, shown?: ReadonlySet<string>) => {
    const result = resolver.resolve(item, depth, shown);
    if ('issues' in result)
      for (const { data, issues } of rootCauses([result])) problems.push([data._id, issues]);
    return result.data as unknown as Record<string, never>;
  };
  return {
    resolver,
    resolve,
    fingerprint: resolver.fingerprint,
    problems,
    hashed,
    prepared: () => prepared,
  };
}

const mori = wire('author', { name: 'Mori', best: 2 }, 1);
const harbour = wire('article', { author: 1, editor: 1, list: [{ to: 2 }, { to: 3 }] }, 2);
const tea = wire('article', { author: 1, editor: 1 }, 3);

describe('an item is resolved', () => {
  test('with ids at depth 0, and times as Dates', () => {
    const data = resolverOf(mori, harbour, tea).resolve(harbour, 0);
    expect(data).toMatchObject({
      _created_at: new Date('2026-01-01T00:00:00Z'),
      author: 1,
      list: [{ to: 2 }, { to: 3 }],
    });
  });

  test('with content up to its depth, in circular references too, and ids below', () => {
    const { resolve } = resolverOf(mori, harbour, tea);
    expect(resolve(harbour, 1)).toMatchObject({
      author: { name: 'Mori', best: 2 },
      list: [{ to: { _id: 2, author: 1 } }, { to: { _id: 3 } }],
    });
    expect(resolve(mori, 3)).toMatchObject({ best: { author: { best: { author: 1 } } } });
  });

  test('once: content that several items embed is parsed once and shared', () => {
    const parsed: number[] = [];
    const resolver = createResolver({
      models: space.models,
      languageItems: itemsWithoutLanguage(mori, harbour, tea),
      schema: (model) => space.schema(model as 'author', { depth: 0 }),
      hash: (text) => text,
      onInvalid: 'fail',
      // Runs before an item is parsed.
      sanitize: (item) => {
        parsed.push(item._id);
        return item;
      },
    });
    const authorOf = (item: WireContent) => resolver.resolve(item, 2).data.author;
    expect(authorOf(harbour)).toBe(authorOf(tea));
    expect(parsed.sort()).toEqual([1, 2, 3]);
  });

  test('by the schema of its model, which is made once, if a value needs it', () => {
    const made: string[] = [];
    const resolver = createResolver({
      models: space.models,
      languageItems: itemsWithoutLanguage(mori, harbour, tea),
      schema: (model) => {
        made.push(model);
        return space.schema(model as 'author', { depth: 0 });
      },
      hash: (text) => text,
      onInvalid: 'fail',
    });
    for (const item of [harbour, tea, mori]) resolver.resolve(item, 1);
    expect(made).toEqual(['article']);
  });

  test('with empty fields for missing targets, below the depth too', () => {
    const lonely = wire('article', { author: 9, editor: 1, list: [{ to: 8 }] }, 4);
    const { resolve } = resolverOf(lonely, mori);
    for (const depth of [0, 1])
      expect(resolve(lonely, depth)).toMatchObject({ author: null, list: [{ to: null }] });
  });

  test('with an id if the target’s model is not declared', () => {
    const [one, two] = [
      wire('article', { any: 77, editor: 1 }, 4),
      wire('article', { any: 78, editor: 1 }, 5),
    ];
    const { resolve } = resolverOf(one, two, mori);
    expect([resolve(one, 1).any, resolve(two, 1).any]).toEqual([77, 78]);
  });

  test('with unchanged media, at any depth', () => {
    const cover = { url: 'https://a.example/b.jpg', alt: 'b' };
    const item = wire('article', { editor: 1, cover }, 4);
    for (const depth of [0, 1]) expect(resolverOf(item, mori).resolve(item, depth).cover).toEqual(cover);
  });

  test('with targets in its own language, or in the main one as a fallback', () => {
    const article = wire('article', { author: 1, editor: 5, any: 1 }, 4);
    const english = wire('author', { name: 'Mori in English' }, 1);
    const main = [mori, wire('author', { name: '茂' }, 5), wire('article', { editor: 5 }, 4)];
    const resolver = createResolver({
      models: space.models,
      languageItems: itemsInLanguage('en', [article, english], main),
      schema: (model) => space.schema(model as 'author', { depth: 0 }),
      hash: (text) => text,
      onInvalid: 'fail',
    });
    expect(resolver.resolve(article, 1).data).toMatchObject({
      author: { name: 'Mori in English' },
      any: { name: 'Mori in English' },
      editor: { name: '茂' },
    });
  });

  test('without changing the original', () => {
    const before = structuredClone([mori, harbour, tea]);
    resolverOf(mori, harbour, tea).resolve(harbour, 5);
    expect([mori, harbour, tea]).toEqual(before);
  });
});

describe('invalid content is reported', () => {
  test('with the invalid item, also if another embeds it', () => {
    const nameless = wire('author', { name: '' }, 6);
    const article = wire('article', { author: 6, editor: 1 }, 7);
    const { resolve, problems } = resolverOf(nameless, article, mori);
    resolve(article, 1);
    expect(problems).toEqual([[6, [expect.objectContaining({ path: ['name'] })]]]);
  });

  test('if the target of a required reference is missing', () => {
    const { resolve, problems } = resolverOf(wire('article', { editor: 99 }, 7));
    resolve(wire('article', { editor: 99 }, 7), 1);
    expect(problems[0]).toEqual([
      7,
      [{ path: ['editor'], message: expect.stringContaining('referenced content is deleted') }],
    ]);
  });

  test('if a reference points to a model that it does not declare', () => {
    const article = wire('article', { editor: 3 }, 7);
    const { resolve, problems } = resolverOf(article, tea, mori);
    resolve(article, 0);
    expect(problems).toEqual([
      [
        7,
        [
          {
            path: ['editor'],
            message:
              'expected content of author, found content 3 of article: add that model to the reference',
          },
        ],
      ],
    ]);
  });

  test('if a reference points to none of the models that it declares', () => {
    const models = { ...space.models, page: { either: field.reference(['author', 'article']) } };
    const page = wire('page', { either: 8 }, 8);
    const result = createResolver({
      models,
      languageItems: itemsWithoutLanguage(page),
      schema: (model) => defineSpace({ models }).schema(model as 'page', { depth: 0 }),
      hash: (text) => text,
      onInvalid: 'fail',
    }).resolve(page, 0);
    expect(result).toMatchObject({
      issues: [
        {
          message:
            'expected content of author or article, found content 8 of page: add that model to the reference',
        },
      ],
    });
  });

  test('for each entry that embeds it, at any depth', () => {
    const nameless = wire('author', { name: '' }, 6);
    const middle = wire('article', { author: 6, editor: 1 }, 7);
    const [one, two] = [8, 9].map((id) => wire('article', { editor: 1, any: 7 }, id)) as [
      WireContent,
      WireContent,
    ];
    const { resolve, problems } = resolverOf(nameless, middle, one, two, mori);
    resolve(one, 2);
    resolve(two, 2);
    expect(problems.map(([id]) => id)).toEqual([6, 6]);
  });
});

describe("with onInvalid: 'skip', a reference to invalid content", () => {
  const nameless = wire('author', { name: '', best: 2 }, 6);
  const article = wire('article', { author: 6, editor: 1 }, 7);
  const dependent = wire('article', { author: 1, editor: 6 }, 8);
  const skip = () => resolverWith({ onInvalid: 'skip' }, mori, nameless, article, dependent, harbour, tea);

  test('is empty, and the item is valid', () => {
    const { resolve, problems } = skip();
    expect(resolve(article, 1)).toMatchObject({ author: null, editor: { name: 'Mori' } });
    expect(problems).toEqual([]);
  });

  test('makes the item invalid if it is required', () => {
    const { resolver } = skip();
    expect(resolver.resolve(dependent, 1)).toMatchObject({ issues: [], because: [{ data: { _id: 6 } }] });
  });

  test('is the id below the depth: what is not shown is not judged', () => {
    const { resolve, problems } = skip();
    expect(resolve(dependent, 0)).toMatchObject({ editor: 6 });
    expect(problems).toEqual([]);
  });

  test('has the fingerprint of an empty one, whatever that content is', () => {
    const of = (...contents: WireContent[]) =>
      resolverWith({ onInvalid: 'skip' }, mori, ...contents).resolver.fingerprint(article, 1);
    const empty = resolverWith({ onInvalid: 'skip' }, mori).resolver.fingerprint(
      { ...article, author: null },
      1,
    );
    expect(of(nameless)).toBe(empty);
    expect(of({ ...nameless, best: 3 })).toBe(empty);
    expect(of({ ...nameless, name: 'Named' })).not.toBe(empty);
  });
});

test('the items that an item embeds are counted each time, with the field that embeds the most', () => {
  const circle = [1, 2, 3].map((id) => wire('article', { editor: 9, list: [{ to: (id % 3) + 1 }] }, id));
  const { resolver } = resolverOf(...circle, wire('author', { name: 'Mori' }, 9));
  const first = circle[0] as WireContent;
  const sizes = [0, 1, 2, 3].map((depth) => resolver.resolve(first, depth));
  expect(sizes.map((one) => 'embedded' in one && one.embedded)).toEqual([0, 2, 4, 6]);
  expect(sizes.map((one) => 'largest' in one && one.largest)).toEqual([
    undefined,
    'list[0].to',
    'list[0].to',
    'list[0].to',
  ]);
});

test('an item is resolved once per depth, whether it is valid or not', () => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 10);
  const all = ids.map((id) =>
    wire('article', { editor: id === 10 ? null : 1, list: ids.map((to) => ({ to })) }, id),
  );
  // At depth 6, walking the tree would visit 30 ** 6 items.
  for (const onInvalid of ['fail', 'skip'] as const) {
    const { resolver } = resolverWith({ onInvalid }, mori, ...all);
    const result = resolver.resolve(all[1] as WireContent, 6);
    expect('issues' in result).toBe(onInvalid === 'fail');
  }
});

test('an item that is invalid at one depth is judged anew at another', () => {
  const nameless = wire('author', { name: '' }, 6);
  const article = wire('article', { editor: 6 }, 7);
  const parent = wire('article', { editor: 1, list: [{ to: 7 }] }, 8);
  const { resolver } = resolverOf(mori, nameless, article, parent);
  const isValidAt = (...depths: number[]) =>
    depths.map((depth) => !('issues' in resolver.resolve(parent, depth)));
  expect(isValidAt(2, 1, 0)).toEqual([false, true, true]);
  expect(isValidAt(0, 1, 2)).toEqual([true, true, false]);
});

describe('a fingerprint', () => {
  test('is the hash of an item that embeds nothing, also if it refers to content of an undeclared model', () => {
    const plain = wire('article', { any: 77 }, 4);
    const { fingerprint } = resolverOf(plain);
    expect([fingerprint(plain, 0), fingerprint(plain, 1)]).toEqual([
      `${itemHash(plain)}`,
      `${itemHash(plain)}`,
    ]);
  });

  test('adds the models of what an item refers to, or what it embeds', () => {
    const { fingerprint } = resolverOf(mori, harbour, tea);
    expect(fingerprint(tea, 0)).toBe(`${itemHash(tea)} author author`);
    const author = `<${itemHash(mori)} article>`;
    expect(fingerprint(tea, 1)).toBe(`${itemHash(tea)} ${author} ${author}`);
  });

  test('differs for a reference that is malformed and one that is empty', () => {
    const of = (author: unknown) => resolverOf(mori).fingerprint(wire('article', { author }, 4), 0);
    expect(of('x')).not.toBe(of(null));
  });

  const fingerprintOf = (depth: number, ...contents: WireContent[]) =>
    resolverOf(...contents).fingerprint(harbour, depth);
  const renamed = { ...mori, name: 'Sato' };

  test('changes with embedded content, up to the depth', () => {
    expect(fingerprintOf(1, renamed, harbour, tea)).not.toBe(fingerprintOf(1, mori, harbour, tea));
    expect(fingerprintOf(0, renamed, harbour, tea)).toBe(fingerprintOf(0, mori, harbour, tea));
  });

  test('changes with each of several embedded items', () => {
    const both = wire('article', { author: 1, editor: 5 }, 4);
    const of = (name: string) => resolverOf(mori, wire('author', { name }, 5), both).fingerprint(both, 1);
    expect(of('a')).not.toBe(of('b'));
  });

  test('depends on which of two targets is missing', () => {
    const both = wire('article', { author: 1, editor: 5 }, 4);
    const other = wire('author', { name: 'Sato' }, 5);
    expect(resolverOf(mori, both).fingerprint(both, 0)).not.toBe(
      resolverOf(other, both).fingerprint(both, 0),
    );
  });

  test('is computed once for content that several items embed', () => {
    const { resolve, fingerprint, hashed, prepared } = resolverOf(mori, harbour, tea);
    fingerprint(harbour, 1);
    fingerprint(tea, 1);
    resolve(harbour, 1);
    expect(new Set(hashed).size).toBe(hashed.length);
    expect(prepared()).toBe(3);
  });

  test('changes if a target is removed, at any depth', () => {
    expect(fingerprintOf(0, mori, harbour)).not.toBe(fingerprintOf(0, mori, harbour, tea));
  });

  test('is the same for an empty reference and one whose target is missing', () => {
    const { fingerprint } = resolverOf(mori, harbour);
    const empty = wire('article', { ...harbour, author: null }, harbour._id);
    const dangling = wire('article', { ...harbour, author: 77 }, harbour._id);
    expect(fingerprint(dangling, 0)).toBe(resolverOf(mori, harbour).fingerprint(empty, 0));
    expect(fingerprint(dangling, 0)).not.toBe(resolverOf(mori, harbour).fingerprint(harbour, 0));
  });

  test.each([
    [{ best: 77 }, { best: null }, {}],
    [{ list: [{ to: 77 }, { to: 2 }] }, { list: [{ to: null }, { to: 2 }] }, { list: [{}, { to: 2 }] }],
  ])('is the same for a missing target, an empty reference and one that is omitted: %j', (...forms) => {
    const fingerprints = forms.map((values) => {
      const item = wire('list' in values ? 'article' : 'author', { name: 'Ito', ...values }, 5);
      return resolverOf(mori, harbour).fingerprint(item, 1);
    });
    expect(new Set(fingerprints).size).toBe(1);
  });
});

describe('of an item with some shown properties', () => {
  const shown = new Set(['_id', 'list']);

  test('only these are resolved, and what they embed is whole', () => {
    const { resolve, problems } = resolverOf(mori, harbour, tea);
    expect(resolve(harbour, 2, shown)).toEqual({
      _id: 2,
      list: [{ to: expect.objectContaining({ _id: 2 }) }, { to: expect.objectContaining({ _id: 3 }) }],
    });
    expect(resolve(harbour, 2, shown).list).toMatchObject([{}, { to: { author: { name: 'Mori' } } }]);
    expect(problems).toEqual([]);
  });

  test('the result is not used for the whole item, nor the other way round', () => {
    const { resolve } = resolverOf(mori, harbour, tea);
    expect(resolve(harbour, 1, shown)).not.toHaveProperty('author');
    expect(resolve(harbour, 1)).toHaveProperty('author');
    expect(resolve(harbour, 1, shown)).not.toHaveProperty('author');
  });

  test('the others are checked, but not what they refer to', () => {
    const nameless = wire('author', { name: '' }, 1);
    const alone = resolverOf(nameless, harbour, tea);
    alone.resolve(harbour, 1, new Set(['_id']));
    expect(alone.problems).toEqual([]);
    const without = resolverOf(harbour, tea);
    without.resolve(harbour, 1, new Set(['_id']));
    expect(without.problems).toMatchObject([[2, [{ path: ['editor'] }]]]);
  });

  test('the fingerprint covers these alone', () => {
    const item = wire('article', { author: 1, editor: 1, list: [{ to: 3 }] }, 2);
    const fingerprintOf = (changes: object, target = tea) =>
      resolverOf(mori, harbour, target).fingerprint({ ...item, ...changes }, 1, shown);
    expect(fingerprintOf({ author: null, any: 2, _title: 'New' })).toBe(fingerprintOf({}));
    expect(fingerprintOf({ list: [] })).not.toBe(fingerprintOf({}));
    expect(fingerprintOf({}, { ...tea, _title: 'New' })).not.toBe(fingerprintOf({}));
  });
});
