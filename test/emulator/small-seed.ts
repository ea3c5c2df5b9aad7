import type { Emulator, Seed } from '../../src/emulator/index.ts';
import { field } from '../../src/models/field.ts';

/** A small space to change and to break: two languages, two kinds of key. */
export const SPACE: Seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'pub', reads: 'published' },
    { key: 'all', reads: 'drafts' },
  ],
  models: {
    author: { name: field.text(), portrait: field.media() },
    article: {
      title: field.text(),
      category: field.select(['news', 'event']),
      author: field.reference('author'),
      seo: field.fieldSet({ robots: field.select(['all', 'none']) }),
    },
  },
  media: [{ id: 900, file: 'a.jpg', alt: { ja: '絵' } }],
  contents: [
    {
      id: 1,
      model: 'author',
      created_at: '2026-01-01T00:00:00Z',
      published: { ja: { name: 'Mori', portrait: 900 } },
    },
    {
      id: 10,
      model: 'article',
      created_at: '2026-01-02T00:00:00Z',
      published: { ja: { title: 'One', category: 'news', author: 1 }, en: { title: 'One, in English' } },
    },
    { id: 11, model: 'article', created_at: '2026-01-03T00:00:00Z', draft: { ja: { title: 'Two' } } },
  ],
};

/** Sends a request to an emulator in memory, by default with the key for published content. */
export async function request(emulator: Emulator, path: string, key = 'pub') {
  const response = await emulator.fetch(`${emulator.baseUrl}${path}`, {
    headers: { 'X-SERVICE-API-KEY': key },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** One item, or its error body. */
export async function readItem(emulator: Emulator, id: number, query = '', key = 'all') {
  return (await request(emulator, `/contents/${id}?${query}`, key)).body;
}
