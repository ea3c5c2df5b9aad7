// Compares a warm `astro sync` with a loader that has the same data in memory.
// node test/bench/sync-overhead.ts [SIZE …], after a build. Results are stored only if no sizes are given.
import { startEmulator } from '../../src/emulator/index.ts';
import { createSite } from '../e2e/site.ts';
import { readMachine } from './machine.ts';
import type { OverheadResults } from './overhead-section.ts';
import { writeResults } from './results.ts';
import { textOf } from './text.ts';

const RUNS = 3;
const results: OverheadResults = { machine: readMachine(), sizes: [] };
const sizes = process.argv.slice(2).map(Number);
const text = textOf(1_720);

for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
  const service = await startEmulator(
    {
      languages: { main: 'ja' },
      keys: [{ key: 'k', reads: 'published' }],
      models: { article: { title: { type: 'text' }, body: { type: 'multiline' } } },
      contents: Array.from({ length: size }, (_, n) => ({
        id: n + 1,
        model: 'article',
        created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
        published: { ja: { title: `Article ${n}`, body: text } },
      })),
    },
    { rateLimit: false },
  );
  const env = { LUID_BASE_URL: service.baseUrl, LUID_API_KEY: 'k' };
  const ours = createSite(
    {
      'src/content.config.ts': `
        import { defineCollection } from 'astro:content';
        import { defineSpace, field } from 'astro-luid';
        const space = defineSpace({ network: { requestsPerMinute: Infinity }, models: { article: { title: field.text(), body: field.multiline() } } });
        export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
    },
    env,
  );
  const trivial = createSite(
    {
      'src/content.config.ts': `
        import { defineCollection } from 'astro:content';
        const load = ({ store }) => {
          for (let n = 1; n <= ${size}; n++) {
            const data = { _id: n, _model: 'article', _title: 'Article ' + n, _status: 'published', _created_at: new Date(n), _updated_at: new Date(n),
              _published_at: new Date(n), _last_published_at: new Date(n), title: 'Article ' + n, body: ${JSON.stringify(text)} };
            store.set({ id: String(n), data, digest: 'd' + n });
          }
        };
        export const collections = { articles: defineCollection({ loader: { name: 'trivial', load: async (context) => load(context) } }) };`,
    },
    {},
  );
  const times: Record<string, number[]> = { ours: [], trivial: [] };
  for (let run = 0; run <= RUNS; run++) {
    for (const [name, site] of Object.entries({ ours, trivial })) {
      const start = performance.now();
      await site.astro(['sync']);
      // The first run is cold and not measured.
      if (run > 0) times[name]?.push(performance.now() - start);
    }
  }
  const best = (name: string) => Math.min(...(times[name] ?? []));
  console.log(
    `${size} entries warm: ours ${Math.round(best('ours'))} ms, trivial ${Math.round(best('trivial'))} ms, ratio ${(best('ours') / best('trivial')).toFixed(2)}`,
  );
  results.sizes.push({ size, ours: best('ours'), trivial: best('trivial') });
  await service.close();
  ours.remove();
  trivial.remove();
}
if (sizes.length === 0) writeResults('sync-overhead', results);
