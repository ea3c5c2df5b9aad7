import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import type { Issue } from '../../src/entries/problems/content-errors.ts';
import { createLinker } from '../../src/entries/reference-resolver.ts';
import { defineSpace, field } from '../../src/index.ts';
import { wire } from '../models/content.ts';
import { corpusIn, corpusOf } from './test-language-items.ts';

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

function linkerOf(...contents: WireContent[]) {
  const problems: [number, readonly Issue[]][] = [];
  let parses = 0;
  const hashed: string[] = [];
  let prepared = 0;
  const linker = createLinker({
    models: space.models,
    corpus: corpusOf(...contents),
    schema: (model) => {
      parses += 1;
      return space.schema(model as 'author', { depth: 0 });
    },
    hash: (text) => {
      hashed.push(text);
      return `<${text}>`;
    },
    prepare: (item) => {
      prepared += 1;
      return item;
    },
  });
  const link = (item: WireContent, depth: number) =>
    linker.link(item, depth, (bad, issues) => problems.push([bad._id, issues])) as Record<string, never>;
  return {
    link,
    signature: linker.signature,
    problems,
    hashed,
    parses: () => parses,
    prepared: () => prepared,
  };
}

const mori = wire('author', { name: 'Mori', best: 2 }, 1);
const harbour = wire('article', { author: 1, editor: 1, list: [{ to: 2 }, { to: 3 }] }, 2);
const tea = wire('article', { author: 1, editor: 1 }, 3);

describe('an item becomes data', () => {
  test('with ids at depth 0, and times as Dates', () => {
    const data = linkerOf(mori, harbour, tea).link(harbour, 0);
    expect(data).toMatchObject({
      _created_at: new Date('2026-01-01T00:00:00Z'),
      author: 1,
      list: [{ to: 2 }, { to: 3 }],
    });
  });

  test('with content up to its depth, round circles, and ids past it', () => {
    const { link } = linkerOf(mori, harbour, tea);
    expect(link(harbour, 1)).toMatchObject({
      author: { name: 'Mori', best: 2 },
      list: [{ to: { _id: 2, author: 1 } }, { to: { _id: 3 } }],
    });
    expect(link(mori, 3)).toMatchObject({ best: { author: { best: { author: 1 } } } });
  });

  test('once: what several embed is parsed once and shared', () => {
    const { link, parses } = linkerOf(mori, harbour, tea);
    expect(link(harbour, 2).author).toBe(link(tea, 2).author);
    expect(parses()).toBe(3);
  });

  test('with empty fields where a target is gone, at the end of the depth too', () => {
    const lonely = wire('article', { author: 9, editor: 1, list: [{ to: 8 }] }, 4);
    const { link } = linkerOf(lonely, mori);
    for (const depth of [0, 1])
      expect(link(lonely, depth)).toMatchObject({ author: null, list: [{ to: null }] });
  });

  test('with an id where the target’s model is not declared', () => {
    const [one, two] = [
      wire('article', { any: 77, editor: 1 }, 4),
      wire('article', { any: 78, editor: 1 }, 5),
    ];
    const { link } = linkerOf(one, two, mori);
    expect([link(one, 1).any, link(two, 1).any]).toEqual([77, 78]);
  });

  test('with media as they are, at any depth', () => {
    const cover = { url: 'https://a.example/b.jpg', alt: 'b' };
    const item = wire('article', { editor: 1, cover }, 4);
    for (const depth of [0, 1]) expect(linkerOf(item, mori).link(item, depth).cover).toEqual(cover);
  });

  test('in its own language where that has the target, else in the main one', () => {
    const article = wire('article', { author: 1, editor: 5, any: 1 }, 4);
    const english = wire('author', { name: 'Mori in English' }, 1);
    const main = [mori, wire('author', { name: '茂' }, 5), wire('article', { editor: 5 }, 4)];
    const linker = createLinker({
      models: space.models,
      corpus: corpusIn('en', [article, english], main),
      schema: (model) => space.schema(model as 'author', { depth: 0 }),
      hash: (text) => text,
    });
    expect(linker.link(article, 1, () => {})).toMatchObject({
      author: { name: 'Mori in English' },
      any: { name: 'Mori in English' },
      editor: { name: '茂' },
    });
  });

  test('without changing what was read', () => {
    const before = structuredClone([mori, harbour, tea]);
    linkerOf(mori, harbour, tea).link(harbour, 5);
    expect([mori, harbour, tea]).toEqual(before);
  });
});

describe('what does not fit is told of', () => {
  test('with the item that is at fault, also when another embeds it', () => {
    const nameless = wire('author', { name: '' }, 6);
    const article = wire('article', { author: 6, editor: 1 }, 7);
    const { link, problems } = linkerOf(nameless, article, mori);
    link(article, 1);
    expect(problems).toEqual([[6, [expect.objectContaining({ path: ['name'] })]]]);
  });

  test('when a required reference leads to what is gone', () => {
    const { link, problems } = linkerOf(wire('article', { editor: 99 }, 7));
    link(wire('article', { editor: 99 }, 7), 1);
    expect(problems[0]).toEqual([7, [{ path: ['editor'], message: expect.stringContaining('is gone') }]]);
  });

  test('when a reference leads to another model than it names', () => {
    const article = wire('article', { editor: 3 }, 7);
    const { link, problems } = linkerOf(article, tea, mori);
    link(article, 0);
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

  test('when a reference leads to a model that none of several names is', () => {
    const models = { ...space.models, page: { either: field.reference(['author', 'article']) } };
    const page = wire('page', { either: 8 }, 8);
    const messages: string[] = [];
    createLinker({
      models,
      corpus: corpusOf(page),
      schema: (model) => defineSpace({ models }).schema(model as 'page', { depth: 0 }),
      hash: (text) => text,
    }).link(page, 0, (_, issues) => messages.push(...issues.map(({ message }) => message)));
    expect(messages).toEqual([
      'expected content of author or article, found content 8 of page: add that model to the reference',
    ]);
  });

  test('to each entry that embeds it, however deep', () => {
    const nameless = wire('author', { name: '' }, 6);
    const middle = wire('article', { author: 6, editor: 1 }, 7);
    const [one, two] = [8, 9].map((id) => wire('article', { editor: 1, any: 7 }, id)) as [
      WireContent,
      WireContent,
    ];
    const { link, problems } = linkerOf(nameless, middle, one, two, mori);
    link(one, 2);
    link(two, 2);
    expect(problems.map(([id]) => id)).toEqual([6, 6]);
  });
});

describe('a signature', () => {
  const signatureOf = (depth: number, ...contents: WireContent[]) =>
    linkerOf(...contents).signature(harbour, depth);
  const renamed = { ...mori, name: 'Sato' };

  test('changes with what is embedded, as deep as it is shown', () => {
    expect(signatureOf(1, renamed, harbour, tea)).not.toBe(signatureOf(1, mori, harbour, tea));
    expect(signatureOf(0, renamed, harbour, tea)).toBe(signatureOf(0, mori, harbour, tea));
  });

  test('changes with each of several that are embedded', () => {
    const both = wire('article', { author: 1, editor: 5 }, 4);
    const of = (name: string) => linkerOf(mori, wire('author', { name }, 5), both).signature(both, 1);
    expect(of('a')).not.toBe(of('b'));
  });

  test('changes with which of two targets is gone', () => {
    const both = wire('article', { author: 1, editor: 5 }, 4);
    const other = wire('author', { name: 'Sato' }, 5);
    expect(linkerOf(mori, both).signature(both, 0)).not.toBe(linkerOf(other, both).signature(both, 0));
  });

  test('costs once for what several embed', () => {
    const { link, signature, hashed, prepared } = linkerOf(mori, harbour, tea);
    signature(harbour, 1);
    signature(tea, 1);
    link(harbour, 1);
    expect(new Set(hashed).size).toBe(hashed.length);
    expect(prepared()).toBe(3);
  });

  test('changes when a target goes, at any depth', () => {
    expect(signatureOf(0, mori, harbour)).not.toBe(signatureOf(0, mori, harbour, tea));
  });
});
