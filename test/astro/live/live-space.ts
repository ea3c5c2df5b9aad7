import { createEmulator, type EmulatorOptions } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';

export const models = {
  author: { name: field.text({ required: true, title: true }), home: field.reference('place') },
  place: { name: field.text() },
  article: {
    title: field.text({ required: true, title: true }),
    slug: field.text(),
    lead: field.multiline(),
    body: field.flexibleText(),
    notes: field.flexibleText({ format: 'markdown' }),
    starts_at: field.datetime(),
    author: field.reference('author'),
    related: field.repeat({ article: field.reference('article') }),
  },
} as const;

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`;
const times = (created: number, updated: number) => ({
  created_at: at(created),
  updated_at: at(updated),
  published_at: at(created),
  last_published_at: at(updated),
});

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ],
  models,
  contents: [
    { id: 1, model: 'place', ...times(1, 9), published: { ja: { name: 'Onomichi' } } },
    { id: 21, model: 'author', ...times(1, 8), published: { ja: { name: 'Mori', home: 1 } } },
    {
      id: 101,
      model: 'article',
      ...times(2, 4),
      published: {
        ja: {
          title: 'Harbour',
          slug: 'harbour',
          body: '<h2>Boats</h2>',
          starts_at: at(20),
          author: 21,
          related: [{ article: 102 }],
        },
        en: { title: 'Harbour (en)', slug: 'harbour-en' },
      },
    },
    {
      id: 102,
      model: 'article',
      ...times(3, 5),
      published: { ja: { title: 'Tea', slug: 'tea', author: 21 } },
      draft: { ja: { title: 'Tea, again', slug: 'tea-again', author: 21 } },
    },
    { id: 103, model: 'article', created_at: at(6), draft: { ja: { title: 'Train', slug: 'train' } } },
  ],
};

/** A space whose service is in this process. */
export function liveSpace(settings: { apiKey?: string; onInvalid?: 'fail' | 'skip' } & EmulatorOptions = {}) {
  const { apiKey = 'published', onInvalid, ...options } = settings;
  const emulator = createEmulator(seed, options);
  const space = defineSpace({
    baseUrl: emulator.baseUrl,
    apiKey,
    draftApiKey: 'drafts',
    models,
    languages: { main: 'ja', sub: ['en'] },
    network: { retries: 0, requestsPerMinute: Number.POSITIVE_INFINITY },
    ...(onInvalid && { onInvalid }),
    fetch: (...request) => emulator.fetch(...request),
  });
  return { emulator, space };
}
