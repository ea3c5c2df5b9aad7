import { field } from '../../src/index.ts';

/** A model with a field of every type, and one that it refers to. */
export const ARTICLE_MODELS = {
  author: { name: field.text() },
  article: {
    title: field.text(),
    slug: field.text(),
    lead: field.multiline(),
    body: field.flexibleText(),
    plain: field.flexibleText({ format: 'text' }),
    place: field.select(['harbour', 'hill']),
    tags: field.multiSelect(),
    starts_at: field.datetime(),
    featured: field.boolean(),
    cover: field.media(),
    author: field.reference('author'),
    list: field.repeat({ note: field.text() }),
    blocks: field.combination({ hero: { text: field.text() } }),
    seo: field.fieldSet({ description: field.text() }),
    other: field.unknown(),
  },
} as const;
