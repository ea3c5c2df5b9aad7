import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { createResolver } from '../../src/entries/reference-resolver.ts';
import { defineSpace, field } from '../../src/index.ts';
import { randomRuns } from '../support/random-runs.ts';
import { itemsWithoutLanguage } from './test-language-items.ts';

const models = {
  author: { name: field.text(), best: field.reference('article'), portrait: field.media() },
  article: {
    title: field.text(),
    at: field.datetime(),
    author: field.reference('author'),
    any: field.reference(),
    either: field.reference(['author', 'article']),
    list: field.repeat({ to: field.reference(), note: field.text() }),
    blocks: field.combination({
      resolve: { to: field.reference('article') },
      group: { items: field.repeat({ by: field.reference('author') }) },
    }),
    seo: field.fieldSet({ parent: field.reference('article') }),
  },
} as const;
const space = defineSpace({ models });

const SIZE = 10;
const resolve = fc.option(fc.integer({ min: 1, max: SIZE + 2 }), { nil: null });
/** Authors are the ids up to three, so that references lead to the models that they name. */
const toAuthor = fc.option(fc.constantFrom(1, 2, 3, SIZE + 1), { nil: null });
const toArticle = fc.option(fc.integer({ min: 4, max: SIZE }), { nil: null });
const article = fc.record({
  title: fc.string(),
  at: fc.constantFrom(null, '2026-01-01T09:00:00+09:00'),
  author: toAuthor,
  any: resolve,
  either: resolve,
  list: fc.array(fc.record({ to: resolve, note: fc.string() }), { maxLength: 3 }),
  blocks: fc.array(
    fc.oneof(
      fc.record({ luid: fc.constant('resolve'), fields: fc.record({ to: toArticle }) }),
      fc.record({
        luid: fc.constant('group'),
        fields: fc.record({ items: fc.array(fc.record({ by: toAuthor }), { maxLength: 2 }) }),
      }),
    ),
    { maxLength: 3 },
  ),
  seo: fc.option(fc.record({ parent: toArticle }), { nil: null }),
});
const author = fc.record({ name: fc.string(), best: toArticle, portrait: fc.constantFrom(null, 900, 901) });
const state = fc.constantFrom('published', 'published', 'published', 'draft', 'archived');

const graph = fc.record({
  authors: fc.array(fc.record({ data: author, state }), { minLength: 3, maxLength: 3 }),
  articles: fc.array(fc.record({ data: article, state }), { minLength: 1, maxLength: SIZE - 3 }),
  drafts: fc.boolean(),
});

const RUNS = randomRuns(400);

test(`data at depths 0 to 3 equals the service’s response at that depth, in ${RUNS} graphs`, async () => {
  await fc.assert(
    fc.asyncProperty(graph, async ({ authors, articles, drafts }) => {
      const items = [
        ...authors.map((one) => ({ ...one, model: 'author' })),
        ...articles.map((one) => ({ ...one, model: 'article' })),
      ];
      const service = createEmulator(
        {
          languages: { main: 'ja' },
          keys: [{ key: 'k', reads: drafts ? 'drafts' : 'published' }],
          models,
          media: [
            { id: 900, file: 'a.jpg', alt: { ja: 'A' } },
            { id: 901, file: 'b.jpg', archived: true, alt: {} },
          ],
          contents: items.map(({ data, state: of, model }, index) => ({
            id: index + 1,
            model,
            created_at: '2026-01-01T00:00:00Z',
            archived: of === 'archived',
            [of === 'draft' ? 'draft' : 'published']: { ja: data },
          })),
        },
        { rateLimit: false, cdn: false },
      );
      const ask = async (depth: number) => {
        const response = await service.fetch(`${service.baseUrl}/contents?depth=${depth}`, {
          headers: { 'X-SERVICE-API-KEY': 'k' },
        });
        return ((await response.json()) as { data: WireContent[] }).data;
      };
      const flat = new Map((await ask(0)).map((item) => [item._id, item]));
      const resolver = createResolver({
        models,
        languageItems: itemsWithoutLanguage(...flat.values()),
        schema: (model) => space.schema(model as 'article', { depth: 0 }),
        hash: (text) => text,
        onInvalid: 'fail',
      });
      for (const depth of [0, 1, 2, 3] as const) {
        for (const theirs of await ask(depth)) {
          const item = flat.get(theirs._id) as WireContent;
          const schema = space.schema(theirs._model as 'article', { depth });
          const result = schema.safeParse(theirs);
          const ours = resolver.resolve(item, depth);
          // Both refuse references to another model than is named; else both say the same.
          if (result.success) expect(ours.data).toEqual(result.data);
          if ('embedded' in ours) expect(result.success).toBe(true);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
