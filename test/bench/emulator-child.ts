import { startEmulator } from '../../src/emulator/index.ts';
import { textOf } from './text.ts';

/** Starts an emulator in a separate process, so that only the replica is measured, and sends its URL to the parent. */
const { count, latency, bytes } = JSON.parse(process.argv[2] ?? '{}') as Record<string, number>;
const START = Date.UTC(2026, 0, 1);
const emulator = await startEmulator(
  {
    keys: [{ key: 'published', reads: 'published' }],
    models: {
      article: {
        title: { type: 'text', title: true },
        body: { type: 'multiline' },
        author: { type: 'reference', model: 'author' },
      },
      author: { name: { type: 'text', title: true } },
    },
    contents: Array.from({ length: count ?? 0 }, (_, index) => ({
      id: index + 1,
      model: index % 20 === 0 ? 'author' : 'article',
      created_at: new Date(START + index * 1000).toISOString(),
      published: {
        en:
          index % 20 === 0
            ? { name: `Author ${index}` }
            : {
                title: `Article ${index}`,
                body: textOf(bytes ?? 0),
                author: 1 + index - (index % 20),
              },
      },
    })),
    languages: { main: 'en', sub: [] },
  },
  { rateLimit: false, latency },
);
process.on('disconnect', () => process.exit());
process.send?.(emulator.baseUrl);
