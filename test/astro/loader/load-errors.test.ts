import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import { field, LuidContentError } from '../../../src/index.ts';
import { createTestLoader, startService } from './test-loader.ts';

const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    category: field.reference('author'),
    tags: field.multiSelect(['sea', 'hill']),
    cover: field.text(),
    list: field.repeat({ note: field.text() }),
    seo: field.fieldSet({ description: field.text() }),
    on: field.boolean(),
    at: field.datetime(),
  },
};
const { category, tags, list, seo, on, at, ...plain } = SERVICE.article;

let service: RunningEmulator;
beforeAll(async () => {
  service = await startService(SERVICE, [
    { id: 1, model: 'author', name: 'Mori' },
    ...Array.from({ length: 227 }, (_, index) => ({
      id: index + 11,
      model: 'article',
      title: `Article ${index + 11}`,
      slug: `slug-${index % 13}`,
      category: 1,
      tags: ['sea'],
      cover: ['news', 'event', 'other'][index % 3],
      list: [{ note: 'a' }, { note: '' }],
      seo: { description: 'x' },
      on: true,
      at: '2026-01-01T00:00:00Z',
    })),
  ]);
});
afterAll(() => service?.close());

async function failure(fields: object, loader: object = {}): Promise<LuidContentError> {
  const models = { author: SERVICE.author, article: { ...plain, ...fields } };
  const error = await createTestLoader(service)
    .load('article', { models, loader })
    .catch((reason: unknown) => reason);
  expect(LuidContentError.is(error)).toBe(true);
  return error as LuidContentError;
}

describe('content that does not fit the model map', () => {
  test('is one group per field, with a count, three examples, the likely cause and a hint', async () => {
    const { message, model, field: luid } = await failure({ category: field.select(['news', 'event']) });
    expect(message).toBe(
      [
        '227 items do not match the declared models:',
        '  article.category: 227 items (looks like a reference: `field.reference()`)',
        ...[11, 12, 13].map(
          (id) =>
            `    article ${id} "Article ${id}": expected one of "news", "event", found 1: correct the entry, or add the value to the options in the model map`,
        ),
        '    and 224 more',
        '  → Run `npx luid check` to compare the models with the content. Set `onInvalid: "skip"` to skip such entries',
      ].join('\n'),
    );
    expect([model, luid]).toEqual(['article', 'category']);
  });

  test.each<[string, object, RegExp]>([
    [
      'a list of values',
      { tags: field.text() },
      /article\.tags: 227 items \(looks like a list of option values: `field\.multiSelect\(\)`\)/,
    ],
    [
      'a list of groups',
      { list: field.text() },
      /article\.list: 227 items \(looks like a list of groups: `field\.repeat\(\{ … \}\)`\)/,
    ],
    [
      'a group',
      { seo: field.text() },
      /article\.seo: 227 items \(looks like a field set: `field\.fieldSet\(\{ … \}\)`\)/,
    ],
    [
      'true or false',
      { on: field.text() },
      /article\.on: 227 items \(looks like true or false: `field\.boolean\(\)`\)/,
    ],
    [
      'a time',
      { at: field.select(['x']) },
      /article\.at: 227 items \(looks like a time: `field\.datetime\(\)`\)/,
    ],
    ['options', { cover: field.select(['news']) }, /article\.cover: 151 items \(found "event", "other"\)/],
    [
      'an empty field',
      { list: field.repeat({ note: field.text({ required: true }) }) },
      /article\.list\[\]\.note: 227 items\n {4}article 11 "Article 11" list\[1\]\.note: required, but empty/,
    ],
    [
      'another model',
      { category: field.reference('article') },
      /article\.category: 227 items\n {4}article 11 "Article 11": expected content of article, found content 1 of author: add that model/,
    ],
  ])('that declares %s as something else says so', async (_, fields, said) => {
    expect((await failure(fields)).message).toMatch(said);
  });

  test('has a group for each field', async () => {
    const { message } = await failure({ on: field.text(), at: field.boolean() });
    expect(message.match(/^ {2}article\.\w+: 227 items/gm)).toHaveLength(2);
    expect(message.split('\n')).toHaveLength(12);
  });

  test('is skipped with the same message with `onInvalid: skip`', async () => {
    const models = { author: SERVICE.author, article: { ...plain, on: field.text() } };
    const { load, entries } = createTestLoader(service);
    const lines = await load('article', { models, space: { onInvalid: 'skip' } });
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^things: 227 entries are skipped\. 227 items do not match the declared models:\n {2}article\.on/,
      ),
    );
    expect(lines).toContain('things: 0 entries, none changed');
    expect(entries()).toEqual([]);
  });
});

test('content that the site’s own schema rejects is grouped by field too', async () => {
  const schema = z.object({ title: z.string().max(3), seo: z.object({ description: z.number() }) });
  const { load, context } = createTestLoader(service);
  const parseData = async ({ id, data }: { id: string; data: unknown }) => {
    const { error } = schema.safeParse(data);
    const lines = error?.issues.map(({ path, message }) => `  **${path.join('.')}**: ${message}`) ?? [];
    throw new Error(`**things → ${id}** data does not match collection schema.\n\n${lines.join('\n')}\n`);
  };
  Object.assign(context, { parseData });
  await expect(load('article', { models: SERVICE })).rejects.toThrow(
    /^227 items do not match the declared models:\n {2}article\.title: 227 items[^\n]*\n( {4}[^\n]*\n){4} {2}article\.seo\.description: 227 items/,
  );
});

describe('ids that several items have', () => {
  test('are all named, up to ten ids with up to ten items', async () => {
    const { message } = await failure({}, { id: 'slug' });
    const [first, ...lines] = message.split('\n');
    expect(first).toBe('things: 13 ids are used by several items:');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(
      /^ {2}"slug-0": article 11 "Article 11", article 24 "Article 24", .*, and 8 more$/,
    );
    expect(lines[10]).toBe('  and 3 more');
    expect(lines[11]).toMatch(/^ {2}→ Make the field unique/);
  });
});

describe('items without an id', () => {
  test('are all named in one error', async () => {
    const { message } = await failure({ nothing: field.text() }, { id: 'nothing' });
    expect(message).toMatch(
      /^227 items have no usable id:\n {2}article 11 "Article 11" has no id: the field nothing is undefined\n/,
    );
    expect(message.split('\n')).toHaveLength(13);
  });
});
