import { describe, expect, test } from 'vitest';
import {
  type DanglingReferences,
  danglingWarning,
  findDanglingReferences,
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
  findDanglingReferences(models, new Map(items.map((item) => [item._id, item])));

describe('dangling references', () => {
  test('are found in every field of every group, with their referrers', () => {
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

  test('are neither empty fields, nor other fields, nor references to known items', () => {
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

test('dangling references are found beside groups that have no fields', () => {
  const blocks = field.combination({ divider: {}, link: { to: field.reference() } });
  const item = wire('page', { blocks: [{ luid: 'link', fields: { to: 90 } }] }, 1);
  const [reference] = findDanglingReferences({ page: { blocks } }, new Map([[1, item]]));
  expect(reference).toMatchObject({ field: 'blocks[].fields.to', ids: new Map([[90, [item]]]) });
});

test('dangling references of one field are reported together, whatever their index', () => {
  const list = Array.from({ length: 12 }, (_, n) => ({ to: n < 10 ? null : 90 }));
  const [reference, ...others] = find(wire('article', { list }, 1));
  expect(reference?.field).toBe('list[].to');
  expect(others).toEqual([]);
});

describe('the warning about a field with dangling references', () => {
  const referrer = (id: number) => wire('article', { _title: `T${id}` }, id);
  const dangling = (details: Partial<DanglingReferences> = {}): DanglingReferences => ({
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

  test('contains the field, a count, an example and a fix', () => {
    expect(danglingWarning(dangling(), new Map())).toEqual({
      key: 'dangling article.any',
      items: [1],
      line:
        'article.any: 1 reference points to content of an undeclared model and stays an id. ' +
        'Example: article 1 "T1" refers to content 90. Declare its model in `models`, or run `npx luid check`',
    });
    expect(danglingWarning(dangling({ ids: three }), new Map())?.line).toContain(
      'article.any: 4 references point to content of an undeclared model and stay ids. ',
    );
  });

  test('names the models that the field declares', () => {
    const one = dangling({ targets: ['author', 'editor'] });
    expect(danglingWarning(one, new Map())?.line).toBe(
      'article.any: 1 reference points to content of an undeclared model and is empty ' +
        '(the field is declared as a reference to author or editor). ' +
        'Example: article 1 "T1" refers to content 90. ' +
        'Declare its model in `models` and add it to the reference, or run `npx luid check`',
    );
    expect(danglingWarning({ ...one, ids: three }, new Map())?.line).toContain(
      'undeclared model and are empty (',
    );
  });

  test('names the models of targets that were looked up, and prefers one of them as the example', () => {
    const modelOf = new Map([
      [91, 'shop\u001b'],
      [92, 'bar'],
    ]);
    const { line } = danglingWarning(dangling({ ids: three }), modelOf) ?? {};
    expect(line).toContain('Example: article 3 "T3" refers to content 91 of shop\\u001b. ');
    expect(line).toContain('Declare bar, shop\\u001b in `models`, or');
    const same = new Map([90, 91, 92].map((id) => [id, 'shop']));
    expect(danglingWarning(dangling({ ids: three }), same)?.line).toContain('Declare shop in `models`');
  });

  test('omits targets that are not visible to the key', () => {
    const modelOf = new Map([
      [90, null],
      [91, 'shop'],
    ]);
    const { line } = danglingWarning(dangling({ ids: three }), modelOf) ?? {};
    expect(line).toContain('2 references point');
    expect(line).toContain('Example: article 3 "T3" refers to content 91 of shop.');
  });

  test('is omitted if no target that was looked up is visible to the key', () => {
    expect(danglingWarning(dangling(), new Map([[90, null]]))).toBeUndefined();
    const some = new Map([
      [90, null],
      [91, null],
    ]);
    expect(danglingWarning(dangling({ ids: three }), some)).toBeUndefined();
    expect(danglingWarning(dangling({ ids: new Map() }), new Map())).toBeUndefined();
  });
});
