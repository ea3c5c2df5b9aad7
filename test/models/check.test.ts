import { describe, expect, test } from 'vitest';
import { defineSpace, field, LuidConfigError } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';

/** The error message for a map that the compiler would reject, as plain JavaScript or JSON can contain it. */
function problem(models: unknown): string {
  try {
    defineSpace({ models: models as ModelMap });
  } catch (error) {
    if (LuidConfigError.is(error)) return error.message;
    throw error;
  }
  return 'none';
}

const text = { type: 'text' };

describe('a model map is rejected, with the path and the fix, for', () => {
  test.each<[string, unknown, string[]]>([
    ['no map', undefined, ['models is empty', 'Declare at least one model']],
    ['an empty map', {}, ['models is empty', 'Declare at least one model']],
    ['a list', [], ['models is empty']],
    ['a model without fields', { item: {} }, ['models.item has no fields', 'Declare at least one']],
    [
      'a bad model LUID',
      { 'my-item': { a: text } },
      ['models["my-item"] is not a LUID', 'Use a-z, 0-9 and _ only'],
    ],
    ['an empty LUID', { '': { a: text } }, ['models[""] is not a LUID']],
    [
      'a bad field LUID',
      { item: { Title: text } },
      ['models.item["Title"] is not a LUID', 'Use a-z, 0-9 and _'],
    ],
    [
      'a bad LUID inside a repeat',
      { item: { list: { type: 'repeat', fields: { 'a b': text } } } },
      ['models.item.list.fields["a b"] is not a LUID'],
    ],
    [
      'a bad field-set LUID',
      { item: { list: { type: 'combination', sets: { 'a.b': { a: text } } } } },
      ['models.item.list.sets["a.b"] is not a LUID'],
    ],
    [
      'a reference to a model that is not declared',
      { item: { other: { type: 'reference', model: 'authr' } }, author: { a: text } },
      [
        'models.item.other.model names "authr", which is not declared',
        "Did you mean 'author'? Declare that model, or name one of item, author",
      ],
    ],
    [
      'one of several references that is not declared',
      {
        item: { deep: { type: 'field_set', fields: { other: { type: 'reference', model: ['item', 'x'] } } } },
      },
      ['models.item.deep.fields.other.model names "x", which is not declared'],
    ],
    [
      'a reference to a model named like an inherited property',
      { item: { other: { type: 'reference', model: 'constructor' } } },
      ['names "constructor", which is not declared'],
    ],
    [
      'a reference to an empty list of models',
      { item: { a: { type: 'reference', model: [] } } },
      ['models.item.a.model'],
    ],
    [
      'a value that is not a field',
      { item: { a: 'text' } },
      ["models.item.a must be a field, got 'text'", 'Use a builder'],
    ],
    [
      'an unknown type',
      { item: { a: { type: 'number' } } },
      ["models.item.a has the unknown type 'number'", 'flexible_text'],
    ],
    [
      'a type named like an inherited property',
      { item: { a: { type: 'constructor' } } },
      ["has the unknown type 'constructor'"],
    ],
    [
      'an unknown key',
      { item: { a: { type: 'text', requird: true } } },
      [
        "models.item.a has the unknown option 'requird'",
        "Did you mean 'required'? Options of a text field: required, title",
      ],
    ],
    [
      'a key of the wrong type',
      { item: { a: { type: 'text', required: 'yes' } } },
      ['models.item.a.required must be true or false'],
    ],
    [
      'an unknown format',
      { item: { a: { type: 'flexible_text', format: 'rtf' } } },
      ["models.item.a.format is 'rtf'", 'html, text, markdown, portable_html'],
    ],
    [
      'empty options',
      { item: { a: { type: 'select', options: [] } } },
      ['models.item.a.options must be a list'],
    ],
    [
      'an option twice',
      { item: { a: { type: 'multi_select', options: ['a', 'a'] } } },
      ['models.item.a.options contains a value twice'],
    ],
    ['a repeat without fields', { item: { a: { type: 'repeat' } } }, ['models.item.a.fields has no fields']],
    [
      'a combination without sets',
      { item: { a: { type: 'combination', sets: {} } } },
      ['models.item.a.sets has no field sets'],
    ],
    [
      'two field sets with one LUID',
      {
        page: { seo: { type: 'field_set', fields: { title: text } } },
        item: { seo: { type: 'field_set', fields: { description: text } } },
      },
      [
        'models.item.seo.fields and models.page.seo.fields are two different field sets with the LUID "seo"',
        'define it once',
      ],
    ],
    [
      'a block and a field set with one LUID',
      {
        item: {
          hero: { type: 'field_set', fields: { title: text } },
          list: { type: 'combination', sets: { hero: { image: { type: 'media' } } } },
        },
      },
      ['two different field sets with the LUID "hero"'],
    ],
  ])('%s', (_name, models, parts) => {
    for (const part of parts) expect(problem(models)).toContain(part);
  });

  test('all problems at once', () => {
    const message = problem({ item: { A: text, b: { type: 'x' }, c: { type: 'reference', model: 'd' } } });
    expect(message.match(/→/g)).toHaveLength(3);
  });
});

test('two models can use the same field set, with its keys in any order', () => {
  const models = {
    page: { seo: field.fieldSet({ title: field.text(), text: field.multiline({ required: true }) }) },
    item: { seo: field.fieldSet({ text: field.multiline({ required: true }), title: field.text() }) },
  };
  expect(problem(models)).toBe('none');
});

test('a model map can be written as JSON', () => {
  const built = {
    item: { title: field.text({ required: true }), kind: field.select(['a', 'b']), any: field.reference() },
  };
  const written = {
    item: {
      title: { type: 'text', required: true },
      kind: { type: 'select', options: ['a', 'b'] },
      any: { type: 'reference' },
    },
  };
  expect(JSON.parse(JSON.stringify(built))).toEqual(written);
  expect(problem(written)).toBe('none');
});

describe('a depth that is not a whole number from 0 to 10 is rejected', () => {
  const space = defineSpace({ models: { item: { a: field.text() } } });
  test.each([-1, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])('%s', (depth) => {
    const options = { depth: depth as never };
    expect(() => space.schema('item', options)).toThrow(
      /schema\("item"\): depth must be a whole number from 0 to 10, got /,
    );
    expect(() => space.loader('item', options)).toThrow(
      /loader\("item"\): depth must be a whole number from 0 to 10, got /,
    );
  });
  test.each([0, 10] as const)('%s is accepted', (depth) => {
    expect(() => space.schema('item', { depth })).not.toThrow();
  });
});

test('a model that is not declared has no schema', () => {
  const space = defineSpace({ models: { item: { a: field.text() } } });
  expect(() => space.schema('constructor' as never)).toThrow(/no such model is declared\n.*Use one of item/);
});
