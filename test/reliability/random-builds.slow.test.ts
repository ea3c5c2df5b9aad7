import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, type Site } from '../e2e/site.ts';
import { filesIn } from '../support/folder-files.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FAULT_HANDLERS, refuse } from './fault-handlers.ts';
import { type FaultyProxy, startProxy } from './faulty-proxy.ts';
import { chooseRandomFaults } from './random-faults.ts';
import { type Content, TestSetup } from './test-setup.ts';

const BUILDS = Number(process.env.LUID_RUNS ?? 10);
/** Fixed, so that every run has the same faults; `npm run test:long` uses new ones. */
const SEED = Number(process.env.LUID_SEED ?? 1);
/** In parallel, since builds mostly wait. */
const SITES = 2;

/** Without faults that take minutes of real time, and without stale responses, which a build cannot detect. */
const { stale, '429 in seconds': _, '429 as a date': __, '429 absurd': ___, ...others } = FAULT_HANDLERS;
const FAULTS = { ...others, '429': refuse(429, () => ({ 'retry-after': '1' })) };

const FILES = {
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { defineSpace, field } from 'astro-luid';
    const space = defineSpace({
      network: { timeout: 2000 },
      models: {
        author: { name: field.text({ required: true, title: true }), mentor: field.reference('author') },
        article: {
          title: field.text({ required: true, title: true }),
          author: field.reference('author'),
          related: field.repeat({ article: field.reference('article') }),
        },
      },
    });
    export const collections = {
      article: defineCollection({ loader: space.loader('article', { depth: 2 }) }),
      author: defineCollection({ loader: space.loader('author', { depth: 1 }) }),
    };`,
  'src/pages/content.json.ts': `
    import { getCollection } from 'astro:content';
    const all = async (name) => Object.fromEntries((await getCollection(name)).map(({ id, data }) => [id, data]));
    export const GET = async () => Response.json({ article: await all('article'), author: await all('author') });`,
};

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startProxy();
});
afterAll(() => proxy.close());

test(`no silent error in ${BUILDS} builds of which every fifth request fails`, {
  timeout: 7_200_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${BUILDS} repeats these builds`);
  const shares = Array.from({ length: SITES }, (_, n) => Math.floor((BUILDS + n) / SITES));
  const outcomes = (
    await Promise.all(shares.map((builds, n) => buildRepeatedly(`${SEED} ${n}`, builds)))
  ).flat();
  console.log(
    `${outcomes.filter((succeeded) => succeeded).length} succeeded, the others failed and reported why`,
  );
  expect(outcomes).toHaveLength(BUILDS);
  expect(outcomes).toContain(true);
});

/** Builds a site repeatedly, with edits in between. Returns whether each build succeeded. */
async function buildRepeatedly(seed: string, builds: number): Promise<boolean[]> {
  const setup = new TestSetup(proxy, { start: Date.now() });
  const site = createSite(FILES, { LUID_BASE_URL: proxy.baseUrl, LUID_API_KEY: setup.key });
  const outcomes: boolean[] = [];
  try {
    for (let n = 0; n < builds; n++) {
      if (seededRandom(`${seed} ${n}`)(3) > 0) setup.makeEdits();
      setup.proxyClient.choose = chooseRandomFaults(`${seed} ${n}`, FAULTS);
      outcomes.push(await build(site, setup, `build ${n} of ${seed}`));
    }
    return outcomes;
  } finally {
    site.remove();
    setup.remove();
  }
}

/** A build has the content of the service; or it fails, reports why, and leaves store and cache unchanged. */
async function build(site: Site, setup: TestSetup, name: string): Promise<boolean> {
  const before = readStoredFiles(site);
  const right = plain(await setup.serviceContent());
  const { output, failed } = await site.astro(['build']).then(
    (text) => ({ output: text, failed: false }),
    (error: Error) => ({ output: error.message, failed: true }),
  );
  expect(output.includes(setup.key), `${name} shows the key`).toBe(false);
  for (const [file, text] of readStoredFiles(site)) {
    expect(text.includes(setup.key), `${name} keeps the key in ${file}`).toBe(false);
  }
  if (!failed) {
    expect(site.json('content.json'), name).toEqual(right);
    return true;
  }
  expect(output, name).toMatch(/\[GET\] http.*→ |: the list contains an item twice.*→ /s);
  expect(readStoredFiles(site), `${name} failed and changed something`).toEqual(before);
  return false;
}

/** The files for the next build: Astro's store and the cache, without temporary ones. */
function readStoredFiles({ folder }: Site): Map<string, string> {
  const files = filesIn(join(folder, 'node_modules/.astro')).filter((file) =>
    /astro-luid|data-store/.test(file.slice(folder.length)),
  );
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
  return new Map(texts.filter(([file, text]) => !isUnfinishedAstroFile(file, text)));
}

/** Astro stores digests of its configuration before any loader is done, and uses a temporary file. */
function isUnfinishedAstroFile(file: string, text: string): boolean {
  return /data-store\.json(\.tmp)?$/.test(file) && !text.includes('"digest"');
}

/** The content as JSON. */
function plain(content: Content): unknown {
  const { article, author } = content;
  return JSON.parse(
    JSON.stringify({ article: Object.fromEntries(article), author: Object.fromEntries(author) }),
  );
}
