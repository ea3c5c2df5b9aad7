import { describe, expect, test } from 'vitest';
import { openEditor } from '../support/editor.ts';

const editor = openEditor();

const SPACE = `
import { defineSpace, type Entry, field } from 'astro-luid';
import type { z } from 'astro/zod';
const space = defineSpace({
  languages: { main: 'ja', sub: ['en'] },
  models: {
    author: { name: field.text({ required: true }), portrait: field.media() },
    article: {
      title: field.text({ required: true }),
      slug: field.text(),
      starts_at: field.datetime(),
      author: field.reference('author'),
      related: field.repeat({ article: field.reference('article'), by: field.reference('author') }),
    },
  },
});
type Data<L extends { schema: z.ZodType }> = z.output<L['schema']>;
`;

describe('an error of the compiler names what is valid', () => {
  test.each([
    [
      'the fields of a backlink',
      `space.loader('author', { backlinks: { list: { from: 'article', by: 'titel' } } });`,
      `Type '"titel"' is not assignable to type '"author" | "related.by" | "related[].by"'.`,
    ],
    [
      'the models of a backlink',
      `space.loader('author', { backlinks: { list: { from: 'articl', by: 'author' } } });`,
      `Type '"articl"' is not assignable to type '"article"'.`,
    ],
    [
      'names of lists',
      `space.loader('author', { backlinks: { name: { from: 'article', by: 'author' } } });`,
      `not assignable to type '"choose another name: name is a field, or begins with _"'.`,
    ],
    [
      'fields of ids',
      `space.loader('article', { id: 'slgu' });`,
      `'"slgu"' is not assignable to type '"author" | "title" | "slug" | "starts_at" | "_id" | ((item: {`,
    ],
    [
      'fields',
      `space.loader('article', { fields: ['titel'] });`,
      `to type '"author" | "title" | "slug" | "starts_at" | "related"'. Did you mean '"title"'?`,
    ],
    [
      'references',
      `space.loader('article', { references: { title: 'x' } });`,
      `'title' does not exist in type '{ readonly author?: string; }'.`,
    ],
    ['orders', `space.loader('article', { neighbours: { order: '-titel' } });`, `Did you mean '"-title"'?`],
    [
      'conditions',
      `space.loader('article', { where: { titel: { eq: 'x' } } });`,
      `to type '"unknown field: use author, title, slug, starts_at, related"'.`,
    ],
    [
      'models that nothing refers to',
      `defineSpace({ models: { note: { title: field.text() } } })
        .loader('note', { backlinks: { list: { from: 'note', by: 'title' } } });`,
      `is not assignable to type '"no model of the map has a reference to note"'.`,
    ],
    [
      'operators',
      `space.loader('article', { where: { title: { equals: 'x' } } });`,
      `to type '"unknown operator: use eq, in, contains"'.`,
    ],
    ['languages', `space.loader('article', { lang: 'fr' });`, `to type '"ja" | "en" | undefined'.`],
    ['options', `space.loader('article', { dept: 2 });`, `to type '"unknown option: use depth, `],
    [
      'options in a list of backlinks',
      `space.loader('author', { backlinks: { list: { from: 'article', by: 'author', limt: 2 } } });`,
      `Did you mean to write 'limit'?`,
    ],
    ['options of live loaders', `space.liveLoader('article', { refesh: '2s' });`, ' from, refresh, '],
    [
      'options of live loaders from the service',
      `space.liveLoader('article', { from: 'service', backlinks: {} });`,
      `to type '"unknown option: use fallback, drafts, from, depth, id, body, lang"'.`,
    ],
    [
      'sources',
      `space.liveLoader('article', { from: 'cache' });`,
      `Type '"cache"' is not assignable to type '"replica" | "service" | undefined'.`,
    ],
    [
      'models',
      `space.liveLoader('articel', {});`,
      `'"articel"' is not assignable to parameter of type '"author" | "article"'.`,
    ],
  ])('%s', (_, source, message) => {
    expect(editor.errors(SPACE + source)).toEqual([expect.stringContaining(message)]);
  });
});

describe('an editor shows', () => {
  const AUTHOR = [
    '    name: string;',
    '    portrait: Media | null;',
    '    _id: number;',
    '    _model: "author";',
    '    _title: string;',
  ];

  test('the data of entries as an object, the fields first', () => {
    const shown = editor.hover(`${SPACE} type Author| = Entry<typeof space, 'author'>;`);
    expect(shown.split('\n').slice(0, 6)).toEqual(['type Author = {', ...AUTHOR]);
  });

  test('what options make of it', () => {
    const loader = `space.loader('author', {
      fields: ['portrait'], langs: ['ja', 'en'], backlinks: { articles: { from: 'article', by: 'author' } },
    })`;
    const shown = editor.hover(`${SPACE} const authors = ${loader}; type Shown| = Data<typeof authors>;`);
    expect(shown).toMatch(/^type Shown = \{\n {4}portrait: Media \| null;\n {4}_id: number;/);
    expect(shown).toContain('    _lang: "ja" | "en";\n    _fallback: boolean;\n');
    expect(shown).toContain('    articles: {\n        title: string;\n        slug: string;\n');
  });

  test('a reference as the data of its target', () => {
    const shown = editor.hover(`${SPACE} const entry = {} as Entry<typeof space, 'article'>; entry.author|;`);
    expect(shown.split('\n').slice(0, 6)).toEqual(['(property) author: {', ...AUTHOR]);
    expect(shown.split('\n').at(-1)).toBe('} | null');
  });

  test.each(['loader', 'liveLoader'])('the options of %s as they are written, and the data', (name) => {
    const shown = editor.hover(`${SPACE} space.${name}|('author', { depth: 0, fields: ['name'] });`);
    expect(shown).toContain(
      '(model: "author", options: {\n    readonly depth: 0;\n    readonly fields: readonly ["name"];\n})',
    );
    expect(shown).toMatch(/\): \w+<\{\n {4}name: string;\n {4}_id: number;/);
  });

  test('no type parameters but the model and its options', () => {
    const shown = editor.hover(`${SPACE} space.loader|('author', { depth: 2 });`);
    expect(shown).toContain('.loader<"author", {\n    readonly depth: 2;\n}>(model: "author", options: {');
  });
});

describe('an editor completes', () => {
  const OPTIONS = ['backlinks', 'body', 'depth', 'drafts', 'fallback', 'fields', 'id', 'lang', 'langs'];
  const MORE = ['maxEmbedded', 'neighbours', 'references', 'where'];

  test.each([
    [`space.loader('|');`, ['author', 'article']],
    [`space.loader('article', { depth: 1, | });`, [...OPTIONS, ...MORE].filter((name) => name !== 'depth')],
    [`space.loader('article', { id: '|' });`, ['author', 'title', 'slug', 'starts_at', '_id']],
    [`space.loader('article', { fields: ['|'] });`, ['author', 'title', 'slug', 'starts_at', 'related']],
    [`space.loader('article', { references: { | } });`, ['author']],
    [`space.loader('author', { backlinks: { list: { from: '|' } } });`, ['article']],
    [
      `space.loader('author', { backlinks: { list: { from: 'article', by: '|' } } });`,
      ['author', 'related.by', 'related[].by'],
    ],
    [`space.liveLoader('article', { from: '|' });`, ['replica', 'service']],
    [
      `space.liveLoader('article', { from: 'service', | });`,
      ['body', 'depth', 'drafts', 'fallback', 'id', 'lang'],
    ],
  ])('%s', (source, names) => {
    expect(editor.completions(SPACE + source).sort()).toEqual([...names].sort());
  });

  test('the item of an `id` function', () => {
    const names = editor.completions(`${SPACE} space.liveLoader('article', { id: (item) => item.| });`);
    expect(names).toEqual(expect.arrayContaining(['title', 'slug', '_id']));
  });
});
