import type { Seed } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';

/** A magazine of three articles and two authors: few enough to know every number. */
export const TINY_SPACE: Seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published-key', reads: 'published' },
    { key: 'draft-key', reads: 'drafts' },
  ],
  models: {
    author: { name: field.text({ title: true }), portrait: field.media() },
    article: {
      title: field.text({ title: true }),
      slug: field.text(),
      body: field.flexibleText(),
      category: field.select(['travel', 'food', 'craft']),
      tags: field.multiSelect(['sea', 'tea']),
      cover: field.media(),
      author: field.reference('author'),
      related: field.repeat({ article: field.reference('article') }),
    },
  },
  media: [1, 2, 3].map((id) => ({ id, file: `${id}.jpg`, alt: 'A' })),
  contents: [
    { id: 201, name: 'Mori', portrait: 1 },
    { id: 202, name: 'Tanaka', portrait: 2 },
    { id: 301, title: 'Harbour', related: [{ article: 302 }, { article: 303 }], category: 'travel' },
    { id: 302, title: 'Tea', related: [{ article: 301 }], category: 'food' },
    { id: 303, title: 'Night', related: [], category: 'food' },
  ].map(({ id, ...values }) => {
    const article = { slug: `s-${id}`, body: `<p>${id}</p>`, tags: ['sea'], cover: 3, author: 201 };
    return {
      id,
      model: id < 300 ? 'author' : 'article',
      created_at: `2026-01-01T00:0${id % 10}:00Z`,
      published: {
        ja: { ...values, ...(id > 300 && article) },
        ...(id === 301 && { en: { title: 'Port' } }),
      },
    };
  }),
};
