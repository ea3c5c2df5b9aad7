import { createClient } from '../../src/client/index.ts';
import { type ServerOptions, startEmulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';

/** A small space with every field type. */
export const models = {
  author: { name: field.text({ required: true, title: true }), portrait: field.media() },
  article: {
    title: field.text({ required: true, title: true }),
    lead: field.multiline(),
    body: field.flexibleText(),
    featured: field.boolean(),
    category: field.select(['news', 'event']),
    tags: field.multiSelect(['sea', 'hill']),
    starts_at: field.datetime(),
    cover: field.media(),
    author: field.reference('author'),
    related: field.repeat({ article: field.reference('article'), note: field.text() }),
    sections: field.combination({ quote: { text: field.multiline() } }),
    seo: field.fieldSet({ description: field.text() }),
  },
} as const;

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`;

export const seed = {
  languages: { main: 'ja', sub: ['en'] },
  spaces: ['_parent', 'shop'],
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
    { key: 'shop-only', reads: 'published', spaces: ['shop'] },
  ],
  models,
  media: [{ id: 900, file: 'a.jpg', alt: { ja: '港' } }],
  contents: [
    { id: 1, model: 'author', created_at: at(1), published: { ja: { name: 'Mori', portrait: 900 } } },
    { id: 2, model: 'author', created_at: at(2), published: { ja: { name: 'Tanaka' } }, space: 'shop' },
    {
      id: 11,
      model: 'article',
      created_at: at(3),
      published: {
        ja: {
          title: 'Harbour',
          lead: 'At dusk',
          body: '<h2>Boats</h2><p>White &amp; blue.</p>',
          featured: true,
          category: 'news',
          tags: ['sea'],
          starts_at: '2026-05-01T09:00:00+09:00',
          cover: 900,
          author: 1,
          related: [{ article: 12, note: 'next' }],
          sections: [{ luid: 'quote', fields: { text: 'So it is' } }],
          seo: { description: 'Boats at dusk' },
        },
        en: { title: 'Harbour (en)' },
      },
    },
    {
      id: 12,
      model: 'article',
      created_at: at(4),
      published: { ja: { title: 'Tea', tags: ['hill'], author: 1, category: 'event', featured: false } },
      draft: { ja: { title: 'Tea, again', author: 1 } },
    },
    { id: 13, model: 'article', created_at: at(5), draft: { ja: { title: 'Train' } } },
  ],
};

export async function startSampleService(options: ServerOptions = {}) {
  const service = await startEmulator(seed, options);
  const clientFor = (apiKey: string) =>
    createClient({
      baseUrl: service.baseUrl,
      apiKey,
      models,
      network: { requestsPerMinute: Number.POSITIVE_INFINITY },
    });
  return { service, clientFor };
}
