import type { LiveLoader } from 'astro/loaders';
import { expect, test, vi } from 'vitest';
import xxhash from 'xxhash-wasm';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { limitPage } from '../../../../src/astro/live/tags/cache-tags.ts';
import type { Emulator } from '../../../../src/emulator/index.ts';
import { AstroStore } from '../../../histories/astro-store.ts';
import type { RequiredField } from '../../../histories/models.ts';
import { CacheStorage } from '../../../histories/storage.ts';
import {
  type Collections,
  chooseCollections,
  chooseRequired,
  createService,
  edit,
  openSpace,
} from '../../../support/random-content.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../../../support/seeded-random.ts';

const RUNS = randomRuns(8);
const SEED = Number(process.env.LUID_SEED ?? 20_261_120);
const { h64ToString } = await xxhash();

/**
 * Live entries are those that a build makes of the same content; and a cached page is invalidated if and only if it
 * would show something else. What cannot be generated: other models than those of the histories, an `id` function,
 * image dimensions, and edits while the content is read (the histories have them). What is excused: a list with an
 * entry whose id several entries have, before or after, may be invalidated and show the same. Requests for that id fail
 * then, so its tag has to be invalidated.
 */
test(`live entries are those of a build, and exactly the pages that differ are invalidated, in ${RUNS} random runs`, {
  timeout: 36_000_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
  const counts = { pages: 0, invalidated: 0 };
  for (let run = 0; run < RUNS; run++) await compare(seededRandom(`${SEED} ${run}`), `run ${run}`, counts);
  console.log(`${counts.invalidated} of ${counts.pages} pages invalidated`);
  expect(counts.invalidated).toBeGreaterThan(0);
  expect(counts.invalidated).toBeLessThan(counts.pages / 2);
});

test(`a cache outside of the process with few tags invalidates every page that differs, in ${RUNS} random runs`, {
  timeout: 36_000_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
  const sources = liveSources();
  const { maxTags } = sources;
  const counts = { pages: 0, invalidated: 0 };
  sources.hasOutsideCache = true;
  try {
    for (let run = 0; run < RUNS; run++) {
      const random = seededRandom(`${SEED} outside ${run}`);
      sources.maxTags = 1 + random(8);
      await compare(random, `outside, run ${run}`, counts);
    }
  } finally {
    Object.assign(sources, { hasOutsideCache: false, maxTags });
  }
  console.log(`${counts.invalidated} of ${counts.pages} pages invalidated`);
  expect(counts.invalidated).toBeGreaterThan(0);
  expect(counts.invalidated).toBeLessThan(counts.pages);
});

/** A page that a cache holds: what it showed, and its tags. */
interface Page {
  /** Of the entries that a list shows. */
  readonly names: readonly string[];
  readonly load: () => Promise<unknown>;
  readonly shown: string;
  readonly tags: readonly string[];
}

async function compare(random: SeededRandom, name: string, counts: { pages: number; invalidated: number }) {
  const service = createService(random);
  const collections = chooseCollections(random);
  const drafts = random(5) === 0;
  const strict = random(4) === 0;
  const required = chooseRequired(random);
  const storage = new CacheStorage();
  const site = { service, storage, strict, required };
  const space = spaceOf(site);
  const loaders = Object.entries(collections).map(([collection, { model, ...options }]) => ({
    collection,
    options,
    loader: space.liveLoader(model as never, { ...options, drafts, refresh: '1h' } as never) as Loader,
  }));
  const steps: string[] = [JSON.stringify({ collections, drafts, strict, required })];
  let pages: Page[] = [];
  let ambiguousBefore: ReadonlySet<string> = new Set();
  // A check in the background may find a change before the test asks for one.
  const tags = new Set<string>();
  liveSources().forEach((source) => {
    source.onChange((change) => {
      for (const tag of change.tags) tags.add(tag);
    });
  });
  try {
    for (let step = 0; step < 6; step++) {
      service.clock.advance(random(3) === 0 ? 0 : 60_000 * random(60));
      if (step > 0) for (let edits = 1 + random(3); edits > 0; edits--) steps.push(edit(service, random));
      if (step > 0) for (const source of liveSources().all()) await source.refresh();
      const invalidated = new Set(tags);
      tags.clear();
      const message = () => `${name} after\n${steps.join('\n')}`;

      const ambiguous = await ambiguousNames(loaders);
      const isExcused = ({ names }: Page) =>
        names.some((one) => ambiguous.has(one) || ambiguousBefore.has(one));

      // Cached pages: those that differ, and no others.
      for (const page of pages) {
        const isInvalidated = page.tags.some((tag) => invalidated.has(tag));
        const shown = JSON.stringify(await page.load());
        const mayBeEqual = isExcused(page) || liveSources().hasOutsideCache;
        if (isInvalidated && shown === page.shown && mayBeEqual) continue;
        expect(
          { isInvalidated, tags: page.tags },
          `${message()}\nbefore: ${page.shown}\nafter:  ${shown}`,
        ).toEqual({
          isInvalidated: shown !== page.shown,
          tags: page.tags,
        });
        counts.pages += 1;
        counts.invalidated += Number(isInvalidated);
      }
      pages = [];
      ambiguousBefore = ambiguous;

      // Of the same content: a build that reads a small space whole would see more than a check does.
      vi.stubEnv('LUID_OFFLINE', step > 0 ? '1' : '');
      const built = await build(site, collections, drafts);
      vi.unstubAllEnvs();
      for (const { collection, loader } of loaders) {
        const listed = await loader.loadCollection({ filter: { order: '_id' }, collection } as never);
        const error = 'error' in listed ? String(listed.error) : '';
        expect(error, message()).toBe('');
        if (!('entries' in listed)) continue;
        const wanted = built.store.entries(collection);
        const failed = built.errors.get(collection);
        // A build fails for duplicate ids; live pages show the entries that are right.
        if (failed === undefined) {
          const live = listed.entries.map(({ cacheHint: _, ...entry }) => entry);
          expect(byId(live), message()).toEqual(byId([...wanted.values()]));
        }
        const ids = listed.entries.map(({ id }) => id);
        for (const id of ids.filter(() => random(ids.length) < 5)) {
          const page = await entryPage(loader, collection, id, message);
          if (page) pages.push(page);
          const built = wanted.get(id);
          if (page && failed === undefined) expect(JSON.parse(page.shown), message()).toEqual(plain(built));
        }
        for (const filter of queriesOf(random))
          pages.push(await listPage(loader, collection, filter, message));
        if (liveSources().hasOutsideCache) pages.push(await combinedPage(loader, collection, ids, message));
      }
    }
  } finally {
    for (const source of liveSources().all()) (source as LazyLiveSource).close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the options, and so the types, are random
type Loader = LiveLoader<any, any, any, Error>;

async function entryPage(loader: Loader, collection: string, id: string, message: () => string) {
  const load = async () => {
    const result = await loader.loadEntry({ filter: { id }, collection } as never);
    if (!result || 'error' in result) return { result: result && String(result.error), hint: undefined };
    const { cacheHint, ...entry } = result;
    return { result: entry as unknown, hint: cacheHint };
  };
  const { result, hint } = await load();
  if (!hint) return undefined;
  expect(
    hint.tags?.every((tag) => /^[\w:-]+$/.test(tag)),
    message(),
  ).toBe(true);
  return {
    names: [],
    load: async () => (await load()).result ?? null,
    shown: JSON.stringify(result),
    tags: hint.tags ?? [],
  };
}

async function listPage(
  loader: Loader,
  collection: string,
  filter: object,
  message: () => string,
): Promise<Page> {
  const load = async () => {
    const result = await loader.loadCollection({ filter, collection } as never);
    if ('error' in result) throw result.error;
    const tags = new Set([
      ...(result.cacheHint?.tags ?? []),
      ...result.entries.flatMap(({ cacheHint }) => cacheHint?.tags ?? []),
    ]);
    return { entries: result.entries.map(({ cacheHint: _, ...entry }) => entry), tags };
  };
  const { entries, tags } = await load();
  expect(
    [...tags].every((tag) => /^[\w:-]+$/.test(tag)),
    message(),
  ).toBe(true);
  return {
    names: entries.map(({ id }) => `${collection} ${id}`),
    load: async () => (await load()).entries,
    shown: JSON.stringify(entries),
    tags: [...tags],
  };
}

/** A page that loads several entries by their ids, with fewer tags than these have. */
async function combinedPage(
  loader: Loader,
  collection: string,
  ids: readonly string[],
  message: () => string,
): Promise<Page> {
  const loaded = await Promise.all(ids.map((id) => entryPage(loader, collection, id, message)));
  const parts = loaded.filter((page) => page !== undefined);
  const tags = parts.flatMap((page) => page.tags);
  return {
    names: [],
    load: () => Promise.all(parts.map((page) => page.load())),
    shown: JSON.stringify(parts.map((page) => JSON.parse(page.shown))),
    tags: limitPage(tags, liveSources().maxTags),
  };
}

/** The collections and ids that several entries have. */
async function ambiguousNames(
  loaders: readonly { readonly collection: string; readonly loader: Loader }[],
): Promise<Set<string>> {
  const ambiguous = new Set<string>();
  for (const { collection, loader } of loaders) {
    const listed = await loader.loadCollection({ filter: {}, collection } as never);
    const ids = 'entries' in listed ? listed.entries.map(({ id }) => id) : [];
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) ambiguous.add(`${collection} ${id}`);
  }
  return ambiguous;
}

function queriesOf(random: SeededRandom): object[] {
  const orders = ['_id', '-_created_at', '-_updated_at', '_title', undefined];
  const titles = [{}, { where: { _title: { contains: '1' } } }, { where: { _id: { in: [1, 2, 3, 7, 20] } } }];
  return Array.from({ length: 3 }, () => ({
    ...(titles[random(titles.length)] as object),
    ...(random(2) === 0 && { order: orders[random(orders.length)] }),
    ...(random(2) === 0 && { limit: 1 + random(5) }),
    ...(random(3) === 0 && { offset: random(5) }),
  }));
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as unknown;

function byId(entries: readonly { readonly id: string }[]) {
  return [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface Site {
  readonly service: Emulator;
  readonly storage: CacheStorage;
  readonly strict: boolean;
  readonly required: readonly RequiredField[];
}

function spaceOf({ service, storage, strict, required }: Site) {
  return openSpace(service, {
    strict,
    required,
    cache: { storage: storage.open().storage },
    onInvalid: 'skip',
  });
}

/** A build with an empty store, of what the cache contains: nothing was edited since. */
async function build(site: Site, collections: Collections, drafts: boolean) {
  const space = spaceOf(site);
  const store = new AstroStore();
  const results = await Promise.allSettled(
    Object.entries(collections).map(([name, { model, ...options }]) =>
      space
        .loader(model as never, { ...options, drafts } as never)
        .load({ ...store.context(name, () => {}), generateDigest: h64ToString } as never),
    ),
  );
  const errors = new Map(
    Object.keys(collections).flatMap((name, index) => {
      const result = results[index];
      return result?.status === 'rejected' ? [[name, String(result.reason)] as const] : [];
    }),
  );
  return { store, errors };
}
