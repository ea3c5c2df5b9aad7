import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { createCorpus } from '../../src/entries/corpus.ts';
import { createLinker } from '../../src/entries/link.ts';
import type { Issue } from '../../src/entries/report.ts';
import { defineSpace, field } from '../../src/index.ts';
import { wire } from '../models/content.ts';

const space = defineSpace({
  models: {
    author: { name: field.text({ required: true }), best: field.reference('article') },
    article: {
      author: field.reference('author'),
      editor: field.reference('author', { required: true }),
      any: field.reference(),
      list: field.repeat({ to: field.reference('article') }),
    },
  },
});

function linkerOf(...contents: WireContent[]) {
  const problems: [number, readonly Issue[]][] = [];
  let parses = 0;
  const linker = createLinker({
    models: space.models,
    corpus: createCorpus({
      lang: undefined,
      items: new Map(contents.map((item) => [item._id, item])),
      undeclared: new Set([77, 78]),
    }),
    schema: (model) => {
      parses += 1;
      return space.schema(model as 'author', { depth: 0 });
    },
    hash: (text) => `<${text}>`,
  });
  const link = (item: WireContent, depth: number) =>
    linker.link(item, depth, (bad, issues) => problems.push([bad._id, issues])) as Record<string, never>;
  return { link, signature: linker.signature, problems, parses: () => parses };
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
    expect(problems[0]?.[1][0]?.message).toContain('expected content of author, found content 3 of article');
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

  test('changes when a target goes, at any depth', () => {
    expect(signatureOf(0, mori, harbour)).not.toBe(signatureOf(0, mori, harbour, tea));
  });
});
