import { describe, expect, test } from 'vitest';
import {
  type Dangling,
  danglingFinding,
  danglingReferences,
} from '../../../src/entries/problems/dangling-references.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';

const models = {
  author: { name: field.text() },
  article: {
    title: field.text(),
    author: field.reference('author'),
    any: field.reference(),
    cover: field.media(),
    list: field.repeat({
      to: field.reference(['author', 'article']),
      note: field.text(),
      photo: field.media(),
    }),
    blocks: field.combination({ plain: { text: field.text() }, link: { to: field.reference() } }),
    seo: field.fieldSet({ parent: field.reference('article') }),
    sizes: field.repeat({ width: field.text() }),
  },
} as const satisfies ModelMap;

const find = (...items: ReturnType<typeof wire>[]) =>
  danglingReferences(models, new Map(items.map((item) => [item._id, item])));

describe('references that lead nowhere', () => {
  test('are found in every field of every group, with who refers', () => {
    const one = wire(
      'article',
      {
        author: 90,
        any: 91,
        list: [{ to: 92 }, { to: 1 }, { to: 93 }, { to: 92 }],
        blocks: [
          { luid: 'plain', fields: { text: 'x' } },
          { luid: 'link', fields: { to: 94 } },
        ],
        seo: { parent: 95 },
      },
      1,
    );
    const two = wire('article', { author: 90, any: 96 }, 2);
    expect(find(one, two)).toEqual([
      { model: 'article', field: 'author', targets: ['author'], ids: new Map([[90, [one, two]]]) },
      {
        model: 'article',
        field: 'any',
        targets: undefined,
        ids: new Map([
          [91, [one]],
          [96, [two]],
        ]),
      },
      {
        model: 'article',
        field: 'list[].to',
        targets: ['author', 'article'],
        ids: new Map([
          [92, [one, one]],
          [93, [one]],
        ]),
      },
      { model: 'article', field: 'blocks[].fields.to', targets: undefined, ids: new Map([[94, [one]]]) },
      { model: 'article', field: 'seo.parent', targets: ['article'], ids: new Map([[95, [one]]]) },
    ]);
  });

  test('are not those that lead to an item, are empty, or are no references', () => {
    const fields = {
      title: 5,
      author: 2,
      any: null,
      cover: 99,
      list: [{ to: 1 }, { to: null }, { to: '99', note: 99, photo: 99 }],
      sizes: [{ width: 99 }],
    };
    expect(
      find(wire('article', fields, 1), wire('author', {}, 2), wire('undeclared', { any: 9 }, 3)),
    ).toEqual([]);
    expect(find(wire('article', { author: { _id: 9 } }, 1))).toEqual([]);
  });
});

test('references of one field are one finding, however long its list is', () => {
  const list = Array.from({ length: 12 }, (_, n) => ({ to: n < 10 ? null : 90 }));
  const [finding, ...others] = find(wire('article', { list }, 1));
  expect(finding?.field).toBe('list[].to');
  expect(others).toEqual([]);
});

describe('the warning about a field whose references lead nowhere', () => {
  const referrer = (id: number) => wire('article', { _title: `T${id}` }, id);
  const dangling = (details: Partial<Dangling> = {}): Dangling => ({
    model: 'article',
    field: 'any',
    targets: undefined,
    ids: new Map([[90, [referrer(1)]]]),
    ...details,
  });
  const three = new Map([
    [90, [referrer(1), referrer(2)]],
    [91, [referrer(3)]],
    [92, [referrer(4)]],
  ]);

  test('says where, how many, an example and what to do', () => {
    expect(danglingFinding(dangling(), new Map())).toEqual({
      key: 'dangling article.any',
      line:
        'article.any: 1 reference leads to content of a model that is not declared, and stays an id. ' +
        'Example: article 1 "T1" refers to content 90. Declare its model in `models`, or run `npx luid check`',
    });
    expect(danglingFinding(dangling({ ids: three }), new Map())?.line).toContain(
      'article.any: 4 references lead to content of a model that is not declared, and stay ids. ',
    );
  });

  test('names the models that the field declares', () => {
    const one = dangling({ targets: ['author', 'editor'] });
    expect(danglingFinding(one, new Map())?.line).toBe(
      'article.any: 1 reference leads to content of a model that is not declared, and is empty ' +
        '(the field is declared as a reference to author or editor). ' +
        'Example: article 1 "T1" refers to content 90. ' +
        'Declare its model in `models` and name it in the reference, or run `npx luid check`',
    );
    expect(danglingFinding({ ...one, ids: three }, new Map())?.line).toContain(
      'not declared, and are empty (',
    );
  });

  test('names the models of targets that were looked up, once each, and prefers one as the example', () => {
    const modelOf = new Map([
      [91, 'shop\u001b'],
      [92, 'bar'],
    ]);
    const { line } = danglingFinding(dangling({ ids: three }), modelOf) ?? {};
    expect(line).toContain('Example: article 3 "T3" refers to content 91 of shop\\u001b. ');
    expect(line).toContain('Declare bar, shop\\u001b in `models`, or');
    const same = new Map([90, 91, 92].map((id) => [id, 'shop']));
    expect(danglingFinding(dangling({ ids: three }), same)?.line).toContain('Declare shop in `models`');
  });

  test('leaves out targets that the key does not show', () => {
    const modelOf = new Map([
      [90, null],
      [91, 'shop'],
    ]);
    const { line } = danglingFinding(dangling({ ids: three }), modelOf) ?? {};
    expect(line).toContain('2 references lead');
    expect(line).toContain('Example: article 3 "T3" refers to content 91 of shop.');
  });

  test('is not given where all targets that were looked up are not shown', () => {
    expect(danglingFinding(dangling(), new Map([[90, null]]))).toBeUndefined();
    const some = new Map([
      [90, null],
      [91, null],
    ]);
    expect(danglingFinding(dangling({ ids: three }), some)).toBeUndefined();
    expect(danglingFinding(dangling({ ids: new Map() }), new Map())).toBeUndefined();
  });
});
