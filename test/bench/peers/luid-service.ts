import { startEmulator } from '../../../src/emulator/index.ts';
import { applyChange, type Change, type Dataset, IMAGES } from './dataset.ts';
import { iso, type Service } from './mock-service.ts';

/** Measured loads and warm-up loads use different keys, so that they do not share responses of the CDN. */
export const KEYS = { measured: 'measured', warmUp: 'warm-up' };

const FIRST_AUTHOR_ID = 1;
const FIRST_ARTICLE_ID = 1000;

export const articleId = (n: number): number => FIRST_ARTICLE_ID + n;

/** Starts the emulator with CDN and without rate limit. */
export async function startLuid(dataset: Dataset): Promise<Service> {
  const emulator = await startEmulator(
    {
      languages: { main: 'en' },
      keys: Object.values(KEYS).map((key) => ({ key, reads: 'published' })),
      models: {
        author: { name: { type: 'text', title: true } },
        article: {
          title: { type: 'text', title: true },
          body: { type: 'multiline' },
          cover: { type: 'media' },
          author: { type: 'reference', model: 'author' },
        },
      },
      media: Array.from({ length: IMAGES }, (_, n) => ({
        id: n + 1,
        file: `picture-${n}.jpg`,
        alt: `Picture ${n}`,
      })),
      contents: [
        ...dataset.authors.map(({ n, name, created }) => ({
          id: FIRST_AUTHOR_ID + n,
          model: 'author',
          created_at: iso(created),
          published: { en: { name } },
        })),
        ...dataset.articles.map(({ n, title, body, author, image, created }) => ({
          id: articleId(n),
          model: 'article',
          created_at: iso(created),
          published: { en: { title, body, cover: image + 1, author: FIRST_AUTHOR_ID + author } },
        })),
      ],
    },
    { rateLimit: false },
  );
  return {
    url: emulator.baseUrl,
    setLatency(milliseconds) {
      emulator.latency = milliseconds;
    },
    change(change: Change) {
      applyChange(dataset, change);
      if ('remove' in change) emulator.contents.remove(articleId(change.remove));
      else if ('rename' in change) {
        const { name } = dataset.authors[change.rename] ?? {};
        emulator.contents.edit(FIRST_AUTHOR_ID + change.rename, { name });
      } else {
        const { title } = dataset.articles.find(({ n }) => n === change.edit) ?? {};
        emulator.contents.edit(articleId(change.edit), { title });
      }
    },
    failNext(status) {
      emulator.faults.add({ kind: { status, ...(status === 429 && { retryAfter: 1 }) } });
    },
    takeCounts() {
      const { log } = emulator;
      const counts = {
        requests: log.length,
        counted: log.filter(({ counted }) => counted).length,
        bytes: log.reduce((sum, { bytes }) => sum + bytes, 0),
      };
      emulator.clearLog();
      return counts;
    },
  };
}
