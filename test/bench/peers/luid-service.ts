import { startEmulator } from '../../../src/emulator/index.ts';
import { applyChange, type Change, type Corpus, PICTURES } from './corpus.ts';
import { iso, type Service } from './service.ts';

/** The key of a load that is measured, and of one that only makes the process warm: the CDN tells them apart. */
export const KEYS = { measured: 'measured', warmUp: 'warm-up' };

/** Ids of authors and pictures begin here; those of articles are their numbers from `FIRST_ARTICLE`. */
const FIRST_AUTHOR = 1;
const FIRST_ARTICLE = 1000;

export const articleId = (n: number): number => FIRST_ARTICLE + n;

/** The service that ours is made for, with its CDN and without its rate limit. */
export async function startLuid(corpus: Corpus): Promise<Service> {
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
      media: Array.from({ length: PICTURES }, (_, n) => ({
        id: n + 1,
        file: `picture-${n}.jpg`,
        alt: `Picture ${n}`,
      })),
      contents: [
        ...corpus.authors.map(({ n, name, created }) => ({
          id: FIRST_AUTHOR + n,
          model: 'author',
          created_at: iso(created),
          published: { en: { name } },
        })),
        ...corpus.articles.map(({ n, title, body, author, picture, created }) => ({
          id: articleId(n),
          model: 'article',
          created_at: iso(created),
          published: { en: { title, body, cover: picture + 1, author: FIRST_AUTHOR + author } },
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
      applyChange(corpus, change);
      if ('remove' in change) emulator.contents.remove(articleId(change.remove));
      else if ('rename' in change) {
        const { name } = corpus.authors[change.rename] ?? {};
        emulator.contents.edit(FIRST_AUTHOR + change.rename, { name });
      } else {
        const { title } = corpus.articles.find(({ n }) => n === change.edit) ?? {};
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
