import { describe, expect, test } from 'vitest';
import { createLanguageItems } from '../../src/entries/language-items.ts';
import { createResolver } from '../../src/entries/reference-resolver.ts';
import { defineSpace, field } from '../../src/index.ts';
import type { Fields, ModelMap } from '../../src/models/types.ts';
import { visitMedia, visitReferences } from '../../src/models/walk.ts';
import { wire } from './content.ts';

/** Valid LUIDs that are special names in JavaScript, in Astro or in the service. */
const NAMES = ['__proto__', 'constructor', '_id', 'collection', 'then'];

/** An object with one own property of any name, as `JSON.parse` creates it. */
function own<T>(name: string, value: T): Record<string, T> {
  return JSON.parse(`{${JSON.stringify(name)}:null}`, (key, part) => (key === name ? value : part));
}

function expectPlainObject(data: object): void {
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

describe.each(NAMES)('a field with the LUID %s', (name) => {
  const space = defineSpace({
    models: { item: { ...own(name, field.text()), title: field.text() } as Fields },
  });

  test('works in the model map and in content', () => {
    const content = { ...wire('item', { title: 'kept' }), ...own(name, name === '_id' ? 101 : 'a value') };
    const data = space.schema('item').parse(content) as Record<string, unknown>;
    expectPlainObject(data);
    expect(data).toMatchObject({ _id: 101, _model: 'item', title: 'kept' });
    if (name !== '__proto__' && name !== '_id') expect(data[name]).toBe('a value');
  });

  test('is empty where content lacks it', () => {
    const data = space.schema('item').parse(wire('item')) as Record<string, unknown>;
    expectPlainObject(data);
    if (name !== '__proto__' && name !== '_id') expect(data[name]).toBe('');
  });

  test('passes through if only content has it', () => {
    const plain = defineSpace({ models: { item: { title: field.text() } } });
    const content = { ...own(name, { polluted: true }), ...wire('item', { title: 'kept' }) };
    const data = plain.schema('item').parse(content);
    expectPlainObject(data);
    expect(data).toMatchObject({ _id: 101, title: 'kept' });
  });

  test('works inside groups', () => {
    const fields = { ...own(name, field.text()) } as Fields;
    const space = defineSpace({
      models: {
        item: {
          list: field.repeat(fields),
          set: field.fieldSet(fields),
          blocks: field.combination({ a: fields }),
        },
      },
    });
    const group = own(name, 'a value');
    const content = wire('item', { list: [group], set: group, blocks: [{ luid: 'a', fields: group }] });
    const data = space.schema('item').parse(content);
    expectPlainObject(data.set ?? {});
    for (const entry of data.list) expectPlainObject(entry);
    if (name !== '__proto__') {
      expect(data).toMatchObject({ list: [group], set: group, blocks: [{ luid: 'a', fields: group }] });
    }
  });

  test('is visited as a reference and as a media', () => {
    for (const [definition, visit] of [
      [field.reference(), visitReferences],
      [field.media(), visitMedia],
    ] as const) {
      const seen: string[] = [];
      visit(own(name, definition), own(name, 7), ({ path }) => seen.push(path));
      expect(seen).toEqual([name]);
      visit(own(name, definition), {}, ({ path }) => seen.push(path));
      expect(seen).toHaveLength(1);
    }
  });
});

describe.each(NAMES)('a model with the LUID %s', (name) => {
  const models = { ...own(name, { title: field.text() }), item: { other: field.reference() } } as ModelMap;
  const space = defineSpace({ models });

  test('has a schema, and can be referred to', () => {
    const target = wire(name, { title: 'kept' }, 7);
    const data = space.schema('item' as never).parse(wire('item', { other: target })) as Record<
      string,
      unknown
    >;
    expectPlainObject(data);
    expect(data.other).toMatchObject({ _model: name, title: 'kept' });
    expect(space.schema(name as never).parse(target)).toMatchObject({ title: 'kept' });
  });

  test('is resolved', () => {
    const target = wire(name, { title: 'kept' }, 7);
    const item = wire('item', { other: 7 }, 8);
    const languageItems = createLanguageItems({
      lang: undefined,
      items: new Map([target, item].map((one) => [one._id, one])),
      isDeclared: () => true,
    });
    const schema = (model: string) => space.schema(model as never, { depth: 0 });
    const { resolve } = createResolver({
      models,
      languageItems,
      schema,
      hash: (text) => text,
      onInvalid: 'fail',
    });
    expect(resolve(item, 1).data.other).toMatchObject({ _model: name, title: 'kept' });
  });
});

test.each(NAMES)('a block with the LUID %s is parsed with its field set', (name) => {
  const space = defineSpace({
    models: { item: { blocks: field.combination(own(name, { text: field.text() })) } },
  });
  const parse = (text: unknown) =>
    space.schema('item').safeParse(wire('item', { blocks: [{ luid: name, fields: { text } }] }));
  expect(parse('a').data?.blocks).toEqual([{ luid: name, fields: { text: 'a' } }]);
  expect(parse(5).error?.issues[0]?.path).toEqual(['blocks', 0, 'fields', 'text']);
});

test('an undeclared block named like an inherited property passes through', () => {
  const space = defineSpace({
    models: { item: { blocks: field.combination({ a: { text: field.text() } }) } },
  });
  const blocks = [
    { luid: 'constructor', fields: { text: 5 } },
    { luid: '__proto__', fields: { text: 5 } },
  ];
  expect(space.schema('item').parse(wire('item', { blocks })).blocks).toEqual(blocks);
});
