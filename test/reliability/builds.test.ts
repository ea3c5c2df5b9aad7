import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, type Site } from '../e2e/site.ts';
import { filesIn } from '../support/folder-files.ts';
import { chanceFrom, faultsByChance } from './chance.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { refuse, SPOILS } from './spoils.ts';
import { type Content, World } from './world.ts';

const BUILDS = Number(process.env.LUID_RUNS ?? 10);
/** The same faults for every change; `npm run test:long` looks for new ones. */
const SEED = Number(process.env.LUID_SEED ?? 1);
/** Side by side, since a build waits a good part of its time. */
const SITES = 2;

/** Without what takes minutes of real time, or shows what was right a while ago and says so to nobody. */
const { stale, '429 in seconds': _, '429 as a date': __, '429 absurd': ___, ...others } = SPOILS;
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
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${BUILDS} makes these builds again`);
  const shares = Array.from({ length: SITES }, (_, n) => Math.floor((BUILDS + n) / SITES));
  const outcomes = (await Promise.all(shares.map((builds, n) => buildOften(`${SEED} ${n}`, builds)))).flat();
  console.log(`${outcomes.filter((isRight) => isRight).length} were right, the others failed and said so`);
  expect(outcomes).toHaveLength(BUILDS);
  expect(outcomes).toContain(true);
});

/** Builds a site again and again while editors work. Tells of each build whether it went well. */
async function buildOften(seed: string, builds: number): Promise<boolean[]> {
  const world = new World(proxy, { start: Date.now() });
  const site = createSite(FILES, { LUID_BASE_URL: proxy.baseUrl, LUID_API_KEY: world.key });
  const outcomes: boolean[] = [];
  try {
    for (let n = 0; n < builds; n++) {
      if (chanceFrom(`${seed} ${n}`)(3) > 0) world.change();
      world.guest.choose = faultsByChance(`${seed} ${n}`, FAULTS);
      outcomes.push(await build(site, world, `build ${n} of ${seed}`));
    }
    return outcomes;
  } finally {
    site.remove();
    world.remove();
  }
}

/** A build is right, or it fails, says why and what to do, and leaves store and cache as they were. */
async function build(site: Site, world: World, name: string): Promise<boolean> {
  const before = kept(site);
  const right = plain(await world.truth());
  const { output, failed } = await site.astro(['build']).then(
    (text) => ({ output: text, failed: false }),
    (error: Error) => ({ output: error.message, failed: true }),
  );
  expect(output.includes(world.key), `${name} shows the key`).toBe(false);
  for (const [file, text] of kept(site)) {
    expect(text.includes(world.key), `${name} keeps the key in ${file}`).toBe(false);
  }
  if (!failed) {
    expect(site.json('content.json'), name).toEqual(right);
    return true;
  }
  expect(output, name).toMatch(/\[GET\] http.*→ |: the list contains an item twice.*→ /s);
  expect(kept(site), `${name} failed and changed something`).toEqual(before);
  return false;
}

/** What stays for the next build: Astro's store and the cache, without what is half-written. */
function kept({ folder }: Site): Map<string, string> {
  const files = filesIn(join(folder, 'node_modules/.astro')).filter((file) =>
    /astro-luid|data-store/.test(file.slice(folder.length)),
  );
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
  return new Map(texts.filter(([file, text]) => !isAstrosOwn(file, text)));
}

/** Astro stores digests of its configuration before any loader is done, and writes aside first. */
function isAstrosOwn(file: string, text: string): boolean {
  return /data-store\.json(\.tmp)?$/.test(file) && !text.includes('"digest"');
}

/** Content as a page shows it. */
function plain(content: Content): unknown {
  const { article, author } = content;
  return JSON.parse(
    JSON.stringify({ article: Object.fromEntries(article), author: Object.fromEntries(author) }),
  );
}
