import { describe, expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { plainPath, referenceFields, referencesAt } from '../../src/models/reference-paths.ts';

const by = field.reference('author');
const any = field.reference();
const FIELDS = {
  title: field.text(),
  by,
  rows: field.repeat({ by, text: field.text() }),
  // Two field sets with the same field.
  blocks: field.combination({
    credit: { by },
    thanks: { by },
    link: { to: any, list: field.repeat({ by }) },
  }),
  seo: field.fieldSet({ inner: field.fieldSet({ by: any }) }),
};

test('reference fields are found at any depth, each with its path', () => {
  expect(referenceFields(FIELDS)).toEqual([
    ['by', by],
    ['rows.by', by],
    ['blocks.credit.by', by],
    ['blocks.thanks.by', by],
    ['blocks.link.to', any],
    ['blocks.link.list.by', by],
    ['seo.inner.by', any],
  ]);
});

test('brackets after a repeat are left out of a path, and wrong paths stay as they are', () => {
  const paths = ['by', 'rows[].by', 'rows.by', 'blocks.link.list[].by', 'seo.inner.by'];
  expect(paths.map((path) => plainPath(FIELDS, path))).toEqual([
    'by',
    'rows.by',
    'rows.by',
    'blocks.link.list.by',
    'seo.inner.by',
  ]);
  for (const wrong of [
    '',
    'by[]',
    'rows[]',
    'seo[].inner.by',
    'blocks[].link.to',
    'blocks.link',
    'blocks.x.by',
    'x.by',
  ])
    expect(plainPath(FIELDS, wrong)).toBe(wrong);
});

describe('the references at a path', () => {
  const at = (path: string, values: Record<string, unknown>) => [...referencesAt(FIELDS, values, path)];

  test('are those of the field alone', () => {
    const values = {
      by: 1,
      rows: [{ by: 2 }, { by: 3 }, { by: 2 }],
      blocks: [
        { luid: 'credit', fields: { by: 4 } },
        { luid: 'thanks', fields: { by: 11 } },
        { luid: 'link', fields: { to: 5, list: [{ by: 6 }, { by: 7 }] } },
        { luid: 'link', fields: { to: 8, list: null } },
        { luid: 'other', fields: { by: 9, to: 9 } },
      ],
      seo: { inner: { by: 10 } },
    };
    const paths = referenceFields(FIELDS).map(([path]) => path);
    expect(Object.fromEntries(paths.map((path) => [path, at(path, values)]))).toEqual({
      by: [1],
      'rows.by': [2, 3],
      'blocks.credit.by': [4],
      'blocks.thanks.by': [11],
      'blocks.link.to': [5, 8],
      'blocks.link.list.by': [6, 7],
      'seo.inner.by': [10],
    });
  });

  test.each([
    ['absent', {}],
    ['null', { by: null, rows: null, blocks: null, seo: null }],
    ['without rows', { rows: [], blocks: [], seo: {} }],
    ['of another shape', { by: 'x', rows: 3, blocks: [3, { luid: 'credit' }], seo: [{ inner: { by: 1 } }] }],
  ])('are none where the fields are %s', (_what, values) => {
    for (const [path] of referenceFields(FIELDS)) expect(at(path, values)).toEqual([]);
  });

  test('do not come from inherited properties', () => {
    const fields = { constructor: any, rows: field.repeat({ constructor: any }) };
    expect([...referencesAt(fields, {}, 'constructor')]).toEqual([]);
    expect([...referencesAt(fields, { rows: [{}] }, 'rows.constructor')]).toEqual([]);
    expect([...referencesAt({}, {}, 'toString')]).toEqual([]);
  });
});
