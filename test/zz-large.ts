import { startEmulator } from '../src/emulator/index.ts';
import { MODELS, emulatedSpaceOf, readFromService, seedOf } from './support/emulated-space.ts';
import { isDeepStrictEqual } from 'node:util';
const { contents, ...seed } = seedOf(10_000);
const text = '港の夜明け、霧と山。'.repeat(2_700); // 81 kB in UTF-8
const withText = contents.map((item) => ({ ...item, model: 'article', published: { ja: { title: `item ${item.id}`, body: `<p>${item.id} ${text}</p>` } } }));
const service = await startEmulator({ ...seed, contents: withText }, { rateLimit: false, maxResponse: 5_000_000 });
const emulated = emulatedSpaceOf(service);
const stats = (label: string, t: number) => {
  const log = service.log; const byStatus: Record<string, number> = {};
  for (const { status } of log) byStatus[status] = (byStatus[status] ?? 0) + 1;
  console.log(label, ((performance.now() - t) / 1000).toFixed(1), 's', log.length, 'requests', JSON.stringify(byStatus), 'rss', Math.round(process.memoryUsage.rss() / 1e6));
  service.clearLog();
};
let [random, requests, created, edits] = [7, 0, 50_000, 0];
const next = (below: number) => ((random = (random * 48_271) % 2_147_483_647) % below);
service.beforeRequest = () => {
  if (requests++ % 150) return;
  edits++;
  service.clock.advance(1_000);
  const id = next(10_000) + 1;
  const archived = service.contents.get(id)?.archived === true;
  switch (next(4)) {
    case 0: service.contents.create({ id: ++created, model: 'article', published: { ja: { title: 'new', body: text } } }); break;
    case 1: archived ? service.contents.restore(id) : service.contents.archive(id); break;
    default: if (!archived) service.contents.edit(id, { title: `edited ${requests}` });
  }
};
let t = performance.now();
const options = { fetch: globalThis.fetch, concurrency: 16 };
await emulated.sync(options);
stats('first, with edits', t); console.log('edits', edits);
service.beforeRequest = undefined;
t = performance.now();
const replica = await emulated.sync(options);
stats('next, quiet', t);
service.maxResponse = Number.POSITIVE_INFINITY;
const expected = await readFromService(emulated, MODELS);
let wrong = 0, count = 0;
const items = await replica.items();
for (const [id, item] of items) { count++; if (!isDeepStrictEqual({ ...item }, { ...expected.get(id) })) wrong++; }
console.log('items', count, 'expected', expected.size, 'wrong', wrong);
service.maxResponse = 5_000_000; service.clearLog();
t = performance.now();
await emulated.sync({ ...options, forceFullSync: true });
stats('full read with known size', t);
t = performance.now();
await emulated.sync(options);
stats('nothing changed', t);
process.exit();
