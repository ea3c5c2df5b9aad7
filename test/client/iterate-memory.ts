// Run by pages-memory.test.ts with --expose-gc: how much more is held while 100,000 items pass by.
import { createClient } from '../../src/client/index.ts';

const TOTAL = 100_000;
const text = 'A line of text that is long enough to weigh something. '.repeat(30);

const client = createClient({
  baseUrl: 'https://cms.example/v1',
  apiKey: 'k',
  network: { requestsPerMinute: Number.POSITIVE_INFINITY },
  fetch: async (url) => {
    const offset = Number(new URL(String(url)).searchParams.get('offset'));
    const length = Math.min(100, TOTAL - offset);
    const data = Array.from({ length }, (_, index) => ({ _id: offset + index + 1, body: text }));
    return Response.json({ total: TOTAL, offset, limit: 100, data });
  },
});

const held = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const start = held();
let count = 0;
let most = 0;
for await (const _item of client.contents.iterate('item')) {
  if (++count % 5_000 === 0) most = Math.max(most, held() - start);
}
console.log(JSON.stringify({ count, most }));
