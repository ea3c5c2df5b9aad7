import { describe, expect, test } from 'vitest';
import {
  type DanglingReference,
  danglingWarnings,
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

/** Everything from 90 on is content of undeclared models. */
const find = (...items: ReturnType<typeof wire>[]) =>
  items.flatMap((item) => findDanglingReferences(models, item, (id) => id >= 90));

describe('dangling references', () => {
  test('are found in every field of every group, with an example', () => {
    const one = wire(
      'article',
      {
        _title: 'T',
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
    const found = (field: string, id: number, targets?: readonly string[]) => ({
      item: 1,
      field: `article.${field}`,
      ...(targets && { targets }),
      example: `article 1 "T" refers to content ${id}`,
    });
    const both = ['author', 'article'];
    expect(find(one)).toEqual([
      found('author', 90, ['author']),
      found('any', 91),
      found('list[].to', 92, both),
      found('list[].to', 93, both),
      found('list[].to', 92, both),
      found('blocks[].fields.to', 94),
      found('seo.parent', 95, ['article']),
    ]);
  });

  test('are neither empty fields, nor other fields, nor references to known items', () => {
    const fields = {
      title: 95,
      author: 2,
      any: null,
      cover: 99,
      list: [{ to: 1 }, { to: null }, { to: '99', note: 99, photo: 99 }],
      sizes: [{ width: 99 }],
    };
    expect(
      find(wire('article', fields, 1), wire('author', {}, 2), wire('undeclared', { any: 99 }, 3)),
    ).toEqual([]);
    expect(find(wire('article', { author: { _id: 99 } }, 1))).toEqual([]);
  });

  test('are found beside groups that have no fields', () => {
    const blocks = field.combination({ divider: {}, link: { to: field.reference() } });
    const item = wire('page', { blocks: [{ luid: 'link', fields: { to: 90 } }] }, 1);
    const [reference] = findDanglingReferences({ page: { blocks } }, item, () => true);
    expect(reference).toMatchObject({ item: 1, field: 'page.blocks[].fields.to' });
  });
});

describe('the warning about a field with dangling references', () => {
  const reference = (item: number, id: number, details: Partial<DanglingReference> = {}) => ({
    item,
    field: 'article.any',
    example: `article ${item} "T${item}" refers to content ${id}`,
    ...details,
  });
  const linesOf = (found: readonly DanglingReference[], inSubSpace = false) =>
    danglingWarnings(found, inSubSpace).map(({ line }) => line);

  test('contains the field, a count, an example and a fix', () => {
    expect(danglingWarnings([reference(1, 90)], false)).toEqual([
      {
        key: 'dangling article.any',
        line:
          'article.any: 1 reference points to content of an undeclared model and stays an id. ' +
          'Example: article 1 "T1" refers to content 90. Declare its model in `models`, or run `npx luid check`',
      },
    ]);
    expect(linesOf([reference(1, 90), reference(2, 90), reference(3, 91)])[0]).toContain(
      'article.any: 3 references point to content of an undeclared model and stay ids. ',
    );
  });

  test('names the models that the field declares', () => {
    const targets = ['author', 'editor'];
    expect(linesOf([reference(1, 90, { targets })])).toEqual([
      'article.any: 1 reference points to content of an undeclared model and is empty ' +
        '(the field is declared as a reference to author or editor). ' +
        'Example: article 1 "T1" refers to content 90. ' +
        'Declare its model in `models` and add it to the reference, or run `npx luid check`',
    ]);
    expect(linesOf([reference(1, 90, { targets }), reference(2, 90, { targets })])[0]).toContain(
      'undeclared model and are empty (',
    );
  });

  test('names the other possibility if only one sub-space is read', () => {
    const [line] = linesOf([reference(1, 90)], true);
    expect(line).toContain('to content of an undeclared model or another sub-space and stays an id');
    expect(line).toContain('leave out `space` in defineSpace()');
  });

  test('is one for each field, and none without such references', () => {
    expect(linesOf([reference(1, 90), reference(1, 90, { field: 'article.other' })])).toHaveLength(2);
    expect(linesOf([])).toEqual([]);
  });
});
