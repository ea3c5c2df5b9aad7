import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
// As it is published: the sources would be transpiled first. So would this file.
import { defineSpace, field } from '../../dist/index.js';

/** A server that is measured from within. */
const { baseUrl, dir, count, seconds } = JSON.parse(process.argv[2] ?? '{}');
const REFRESH = 10_000;
const LOOPS = 50;
let requests = 0;
const space = defineSpace({
  baseUrl,
  apiKey: 'published',
  models: {
    article: {
      title: field.text({ title: true }),
      body: field.multiline(),
      author: field.reference('author'),
    },
    author: { name: field.text({ title: true }) },
  },
  cache: { dir },
  network: { requestsPerMinute: Number.POSITIVE_INFINITY },
  fetch: (...request) => {
    requests += 1;
    return fetch(...request);
  },
});
const loader = space.liveLoader('article', { id: 'title', refresh: REFRESH, depth: 1 });

const loadEntry = async (index) => {
  const result = await loader.loadEntry({
    filter: { id: `Article ${index}` },
    collection: 'articles',
  });
  if (!result || 'error' in result) throw result?.error ?? new Error(`There is no article ${index}`);
};
const loadWhere = async () => {
  const filter = { where: { title: { contains: '9999' } } };
  const result = await loader.loadCollection({ filter, collection: 'articles' });
  if ('error' in result) throw result.error;
};

await loadEntry(7);
const firstEntry = performance.now();
const { user, system } = process.cpuUsage();
const rss = [process.memoryUsage.rss()];
/** Without garbage, after one minute and at the end. */
const held = [];
/** How many entries took so many hundredths of a millisecond: a list of all times would itself need memory. */
const times = new Uint32Array(100_000);
let loaded = 0;
let where = 0;
let [measuredFor, checks] = [0, 1];
if (seconds > 0) {
  // The members of the collection are found in the background, and the first check is made.
  await loadWhere();
  await loadWhere();
  const whereTimes = [];
  for (let n = 0; n < 10; n++) {
    const start = performance.now();
    await loadWhere();
    whereTimes.push(performance.now() - start);
  }
  where = whereTimes.sort((a, b) => a - b)[5] ?? 0;
  await wait(1000);
  requests = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  let nextSample = start + 60_000;
  const loop = async (number) => {
    for (let n = number; performance.now() < end; n += LOOPS) {
      const index = (n * 7919) % count;
      if (index % 20 === 0) continue;
      const before = performance.now();
      await loadEntry(index);
      const after = performance.now();
      times[Math.min(times.length - 1, Math.floor((after - before) * 100))] += 1;
      loaded += 1;
      if (after > nextSample) {
        rss.push(process.memoryUsage.rss());
        nextSample += 60_000;
        if (held.length === 0) held.push(heldBytes());
      }
      // As between two requests of a server.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, (_, number) => loop(number)));
  measuredFor = performance.now() - start;
  checks = Math.max(1, Math.floor(measuredFor / REFRESH));
}
rss.push(process.memoryUsage.rss());
held.push(heldBytes());
const raw = readdirSync(dir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.parentPath.endsWith('segment'))
  .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
const figures = {
  firstEntry,
  firstEntryCpu: (user + system) / 1000,
  p50: timeAt(0.5),
  p99: timeAt(0.99),
  perSecond: measuredFor === 0 ? 0 : (loaded / measuredFor) * 1000,
  where,
  rss,
  held,
  raw,
  requestsPerCheck: requests / checks,
};
process.send?.(figures, () => process.exit());

function heldBytes() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The time that this share of all entries did not exceed, in milliseconds. */
function timeAt(share) {
  let seen = 0;
  const index = times.findIndex((number) => {
    seen += number;
    return seen > loaded * share;
  });
  return index === -1 ? 0 : (index + 1) / 100;
}
