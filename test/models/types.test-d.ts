import { describe, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { ImagePlaceholder, MediaWithPlaceholder } from '../../src/images/index.ts';
import { type BlockProps, defineSpace, type Entry, field, type Media } from '../../src/index.ts';
import type { FieldWhere, WriteData } from '../../src/models/types.ts';

const all = {
  text: field.text(),
  text_required: field.text({ required: true }),
  multiline: field.multiline(),
  flexible: field.flexibleText({ format: 'markdown' }),
  boolean: field.boolean(),
  boolean_required: field.boolean({ required: true }),
  select: field.select(['a', 'b']),
  select_required: field.select(['a', 'b'], { required: true }),
  select_any: field.select(),
  multi: field.multiSelect(['x', 'y']),
  multi_any: field.multiSelect(),
  datetime: field.datetime(),
  datetime_required: field.datetime({ required: true }),
  media: field.media(),
  media_required: field.media({ required: true }),
  media_sized: field.media({ dimensions: true, required: true }),
  media_previewed: field.media({ placeholder: true }),
  media_not_previewed: field.media({ placeholder: false }),
  one: field.reference('author'),
  one_required: field.reference('author', { required: true }),
  several: field.reference(['author', 'everything']),
  any: field.reference(),
  repeat: field.repeat({ note: field.text(), by: field.reference('author') }),
  blocks: field.combination({
    hero: { image: field.media() },
    quote: { text: field.multiline(), by: field.reference('author') },
  }),
  set: field.fieldSet({ description: field.text(), by: field.reference('author') }),
  set_required: field.fieldSet({ description: field.text() }, { required: true }),
  unknown: field.unknown(),
} as const;
const space = defineSpace({
  models: {
    author: { name: field.text({ required: true }), best: field.reference('everything') },
    everything: all,
  },
});

type At<D extends 0 | 1 | 2 | 3> = Entry<typeof space, 'everything', D>;
type Author<D extends 0 | 1 | 2 | 3> = Entry<typeof space, 'author', D>;

describe('the static type of each field', () => {
  test('texts are strings, never null', () => {
    expectTypeOf<At<0>['text']>().toEqualTypeOf<string>();
    expectTypeOf<At<0>['text_required']>().toEqualTypeOf<string>();
    expectTypeOf<At<0>['multiline']>().toEqualTypeOf<string>();
    expectTypeOf<At<0>['flexible']>().toEqualTypeOf<string>();
  });
  test('booleans, times and media are null when empty, unless required', () => {
    expectTypeOf<At<0>['boolean']>().toEqualTypeOf<boolean | null>();
    expectTypeOf<At<0>['boolean_required']>().toEqualTypeOf<boolean>();
    expectTypeOf<At<0>['datetime']>().toEqualTypeOf<Date | null>();
    expectTypeOf<At<0>['datetime_required']>().toEqualTypeOf<Date>();
    expectTypeOf<At<0>['media']>().toEqualTypeOf<Media | null>();
    expectTypeOf<At<0>['media_required']>().toEqualTypeOf<Media>();
    expectTypeOf<At<0>['media_sized']['width']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<At<0>['media_previewed']>().toEqualTypeOf<MediaWithPlaceholder | null>();
    expectTypeOf<MediaWithPlaceholder['placeholder']>().toEqualTypeOf<ImagePlaceholder | null>();
    expectTypeOf<At<0>['media_not_previewed']>().toEqualTypeOf<Media | null>();
    expectTypeOf<Media>().not.toHaveProperty('placeholder');
  });
  test('selects are unions of their options', () => {
    expectTypeOf<At<0>['select']>().toEqualTypeOf<'a' | 'b' | null>();
    expectTypeOf<At<0>['select_required']>().toEqualTypeOf<'a' | 'b'>();
    expectTypeOf<At<0>['select_any']>().toEqualTypeOf<string | null>();
    expectTypeOf<At<0>['multi']>().toEqualTypeOf<('x' | 'y')[]>();
    expectTypeOf<At<0>['multi_any']>().toEqualTypeOf<string[]>();
  });
  test('groups are objects, lists and a union discriminated by luid', () => {
    expectTypeOf<At<0>['repeat']>().toEqualTypeOf<{ note: string; by: number | null }[]>();
    expectTypeOf<At<0>['set']>().toEqualTypeOf<{ description: string; by: number | null } | null>();
    expectTypeOf<At<0>['set_required']>().toEqualTypeOf<{ description: string }>();
    expectTypeOf<At<0>['blocks']>().toEqualTypeOf<
      (
        | { luid: 'hero'; fields: { image: Media | null } }
        | { luid: 'quote'; fields: { text: string; by: number | null } }
      )[]
    >();
  });
  test('a field of unknown type is unknown', () => {
    expectTypeOf<At<0>['unknown']>().toEqualTypeOf<unknown>();
  });
});

describe('references', () => {
  test('are numbers at depth 0', () => {
    expectTypeOf<At<0>['one']>().toEqualTypeOf<number | null>();
    expectTypeOf<At<0>['one_required']>().toEqualTypeOf<number>();
    expectTypeOf<At<0>['several']>().toEqualTypeOf<number | null>();
    expectTypeOf<At<0>['any']>().toEqualTypeOf<number | null>();
  });
  test('are content down to the depth, then numbers', () => {
    expectTypeOf<At<1>['one']>().toEqualTypeOf<Author<0> | null>();
    expectTypeOf<At<1>['one_required']['best']>().toEqualTypeOf<number | null>();
    expectTypeOf<At<2>['one']>().toEqualTypeOf<Author<1> | null>();
    expectTypeOf<NonNullable<At<2>['one_required']['best']>['one']>().toEqualTypeOf<number | null>();
    expectTypeOf<At<3>['one']>().toEqualTypeOf<Author<2> | null>();
    expectTypeOf<NonNullable<At<3>['one_required']['best']>['one']>().toEqualTypeOf<Author<0> | null>();
  });
  test('to several models are discriminated by _model', () => {
    expectTypeOf<At<1>['several']>().toEqualTypeOf<Author<0> | At<0> | null>();
    expectTypeOf<NonNullable<At<1>['several']>['_model']>().toEqualTypeOf<'author' | 'everything'>();
  });
  test('to any model are content of a declared model, or an id', () => {
    expectTypeOf<At<1>['any']>().toEqualTypeOf<Author<0> | At<0> | number | null>();
  });
  test('inside groups follow the depth too', () => {
    expectTypeOf<At<1>['repeat'][number]['by']>().toEqualTypeOf<Author<0> | null>();
    expectTypeOf<NonNullable<At<2>['set']>['by']>().toEqualTypeOf<Author<1> | null>();
    expectTypeOf<
      Extract<At<3>['blocks'][number], { luid: 'quote' }>['fields']['by']
    >().toEqualTypeOf<Author<2> | null>();
  });
  test('default to depth 1', () => {
    expectTypeOf<Entry<typeof space, 'everything'>>().toEqualTypeOf<At<1>>();
  });
});

test('system properties are part of every entry', () => {
  expectTypeOf<At<0>['_id']>().toEqualTypeOf<number>();
  expectTypeOf<At<0>['_model']>().toEqualTypeOf<'everything'>();
  expectTypeOf<At<0>['_created_at']>().toEqualTypeOf<Date>();
  expectTypeOf<At<0>['_published_at']>().toEqualTypeOf<Date | null>();
  expectTypeOf<At<0>['_status']>().toEqualTypeOf<'draft' | 'published' | 'published_draft'>();
  expectTypeOf<At<0>['_space']>().toEqualTypeOf<string | undefined>();
});

test('a system property replaces a field of the same name', () => {
  const odd = defineSpace({
    models: { item: { _id: field.text(), constructor: field.text(), ['__proto__']: field.text() } },
  });
  type Odd = Entry<typeof odd, 'item'>;
  expectTypeOf<Odd['_id']>().toEqualTypeOf<number>();
  expectTypeOf<Odd['constructor']>().toEqualTypeOf<string>();
});

test('the output of the zod object is the type of the entry', () => {
  const zero = space.schema('everything', { depth: 0 });
  const one = space.schema('everything');
  const two = space.schema('everything', { depth: 2 });
  const three = space.schema('everything', { depth: 3 });
  expectTypeOf<z.output<typeof zero>>().branded.toEqualTypeOf<At<0>>();
  expectTypeOf<z.output<typeof one>['one']>().toEqualTypeOf<At<1>['one']>();
  expectTypeOf<z.output<typeof two>['blocks']>().toEqualTypeOf<At<2>['blocks']>();
  expectTypeOf<z.output<typeof three>['several']>().toEqualTypeOf<At<3>['several']>();
});

test('the loader passes the schema of its depth to Astro', () => {
  const loader = space.loader('everything', { depth: 2, id: 'text' });
  expectTypeOf<z.output<typeof loader.schema>['one']>().toEqualTypeOf<At<2>['one']>();
});

describe('the props of a block', () => {
  test('are the fields of its field set, at the depth of the collection', () => {
    type Hero = BlockProps<typeof space, 'everything', 'blocks', 'hero'>;
    expectTypeOf<Hero>().toEqualTypeOf<{ image: Media | null }>();
    type Quote<D extends 0 | 1 | 2> = BlockProps<typeof space, 'everything', 'blocks', 'quote', D>;
    expectTypeOf<Quote<0>>().toEqualTypeOf<{ text: string; by: number | null }>();
    expectTypeOf<Quote<1>['by']>().toEqualTypeOf<Author<0> | null>();
    expectTypeOf<Quote<2>['by']>().toEqualTypeOf<Author<1> | null>();
    expectTypeOf<BlockProps<typeof space, 'everything', 'blocks', 'quote'>>().toEqualTypeOf<Quote<1>>();
  });

  test('are those that an entry’s blocks have', () => {
    type Blocks = At<2>['blocks'][number];
    type FieldsOf<L extends Blocks['luid']> = Extract<Blocks, { luid: L }>['fields'];
    expectTypeOf<FieldsOf<'quote'>>().toEqualTypeOf<
      BlockProps<typeof space, 'everything', 'blocks', 'quote', 2>
    >();
  });

  test('are of combinations and their own field sets only', () => {
    // @ts-expect-error: not a combination
    expectTypeOf<BlockProps<typeof space, 'everything', 'repeat', 'hero'>>().toBeObject();
    // @ts-expect-error: no such field set
    expectTypeOf<BlockProps<typeof space, 'everything', 'blocks', 'footer'>>().toBeObject();
    // @ts-expect-error: no such model
    expectTypeOf<BlockProps<typeof space, 'nothing', 'blocks', 'hero'>>().toBeObject();
  });
});

describe('§4.1 filter operands', () => {
  test('are those of the operators that the service supports', () => {
    expectTypeOf<keyof FieldWhere<(typeof all)['text']>>().toEqualTypeOf<'eq' | 'in' | 'contains'>();
    expectTypeOf<keyof FieldWhere<(typeof all)['multiline']>>().toEqualTypeOf<'eq' | 'in' | 'contains'>();
    expectTypeOf<keyof FieldWhere<(typeof all)['flexible']>>().toEqualTypeOf<'contains'>();
    expectTypeOf<FieldWhere<(typeof all)['boolean']>>().toEqualTypeOf<{ eq?: boolean }>();
    expectTypeOf<FieldWhere<(typeof all)['select']>['eq']>().toEqualTypeOf<'a' | 'b' | undefined>();
    expectTypeOf<FieldWhere<(typeof all)['multi']>>().toEqualTypeOf<{ has?: 'x' | 'y' }>();
    expectTypeOf<keyof FieldWhere<(typeof all)['datetime']>>().toEqualTypeOf<'lt' | 'lte' | 'gt' | 'gte'>();
    expectTypeOf<FieldWhere<(typeof all)['one']>['eq']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<FieldWhere<(typeof all)['media']>>().toBeNever();
    expectTypeOf<FieldWhere<(typeof all)['repeat']>>().toBeNever();
    expectTypeOf<FieldWhere<(typeof all)['blocks']>>().toBeNever();
    expectTypeOf<FieldWhere<(typeof all)['set']>>().toBeNever();
  });
});

describe('§4.10 values to write', () => {
  type Write = WriteData<typeof all>;
  test('are ids for media and references, and plain values for the rest', () => {
    expectTypeOf<Write['text']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Write['boolean']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<Write['select']>().toEqualTypeOf<'a' | 'b' | null | undefined>();
    expectTypeOf<Write['datetime']>().toEqualTypeOf<Date | string | null | undefined>();
    expectTypeOf<Write['media']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<Write['one']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<NonNullable<Write['repeat']>[number]['by']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<NonNullable<Write['blocks']>[number]['luid']>().toEqualTypeOf<'hero' | 'quote'>();
    expectTypeOf<NonNullable<Write['set']>['description']>().toEqualTypeOf<string | null | undefined>();
  });
  test('do not include a multi select', () => {
    expectTypeOf<Write>().not.toHaveProperty('multi');
  });
});

describe('misuse does not compile', () => {
  const text = field.text();
  test('in the model map', () => {
    // @ts-expect-error: a model that is not declared
    defineSpace({ models: { a: { x: field.reference('b') } } });
    // @ts-expect-error: one of several that is not declared
    defineSpace({ models: { a: { x: field.reference(['a', 'b']) } } });
    // @ts-expect-error: a model that is not declared, in a repeat
    defineSpace({ models: { a: { x: field.repeat({ y: field.reference('b') }) } } });
    // @ts-expect-error: a model that is not declared, in a field set
    defineSpace({ models: { a: { x: field.fieldSet({ y: field.reference('b') }) } } });
    // @ts-expect-error: a model that is not declared, in a combination
    defineSpace({ models: { a: { x: field.combination({ s: { y: field.reference('b') } }) } } });
    // @ts-expect-error: a capital letter in a model LUID
    defineSpace({ models: { A: { x: text } } });
    // @ts-expect-error: a dash in a field LUID
    defineSpace({ models: { a: { 'x-y': text } } });
    // @ts-expect-error: a bad LUID in a repeat
    defineSpace({ models: { a: { x: field.repeat({ 'y z': text }) } } });
    // @ts-expect-error: a bad LUID of a field set in a combination
    defineSpace({ models: { a: { x: field.combination({ 'S!': { y: text } }) } } });
    // @ts-expect-error: no model at all
    defineSpace({ models: {} });
    // @ts-expect-error: no field
    defineSpace({ models: { a: { x: 'text' } } });
    // @ts-expect-error: a type that there is not
    defineSpace({ models: { a: { x: { type: 'number' } } } });
    // @ts-expect-error: a setting that there is not
    defineSpace({ models: { a: { x: text } }, baseURL: 'https://example.com/v1' });
  });
  test('in a builder', () => {
    // @ts-expect-error: misspelt
    field.text({ requird: true });
    // @ts-expect-error: not a boolean
    field.text({ required: 'yes' });
    // @ts-expect-error: an option of another type
    field.boolean({ title: true });
    // @ts-expect-error: no such format
    field.flexibleText({ format: 'rtf' });
    // @ts-expect-error: options are texts
    field.select([1, 2]);
    // @ts-expect-error: a model is named by its LUID
    field.reference(5);
    // @ts-expect-error: a repeat needs fields
    field.repeat();
    // @ts-expect-error: the sets of a combination are groups of fields
    field.combination({ hero: text });
    // @ts-expect-error: a group holds fields
    field.fieldSet({ x: 'text' });
  });
  test('in the arguments of a space', () => {
    // @ts-expect-error: no such model
    space.schema('authr');
    // @ts-expect-error: deeper than 10
    space.schema('author', { depth: 11 });
    // @ts-expect-error: no whole number
    space.schema('author', { depth: 1.5 });
    // @ts-expect-error: less than 0
    space.loader('author', { depth: -1 });
    // @ts-expect-error: no such field
    space.loader('author', { id: 'slug' });
    // @ts-expect-error: the service resolves to 3 at most
    space.liveLoader('author', { from: 'service', depth: 4 });
  });
  test('in the use of an entry', () => {
    const entry = {} as At<1>;
    // @ts-expect-error: no such field
    entry.texts;
    // @ts-expect-error: may be empty
    entry.one.name;
    // @ts-expect-error: past the depth it is a number
    entry.one_required.best?.text;
    // @ts-expect-error: no such option
    entry.select === 'c';
    for (const block of entry.blocks) {
      // @ts-expect-error: only the hero has an image
      block.fields.image;
    }
  });
});
