import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/emulator/index.ts';
import type { OnInvalid } from '../../../src/entries/reference-resolver.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import type { RequiredField } from '../../histories/models.ts';
import { CacheStorage } from '../../histories/storage.ts';
import {
  type Collections,
  chooseCollections,
  chooseRequired,
  createService,
  edit,
  openSpace,
} from '../../support/random-content.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

const RUNS = randomRuns(12);
/** The same for every change, so that a failure is the change's; LUID_SEED runs others. */
const SEED = Number(process.env.LUID_SEED ?? 20_261_116);

/**
 * What cannot be generated: other models than those of the histories, an `id` function (all entries are made again),
 * a schema of the site, responsive images, and edits while a build reads (the histories have them).
 */
test(`an incremental load leaves the store that a full load would, in ${RUNS} random runs`, {
  timeout: 36_000_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
  let updates = 0;
  let loads = 0;
  for (let run = 0; run < RUNS; run++) {
    const result = await compareLoads(seededRandom(`${SEED} ${run}`), `run ${run}`);
    updates += result.updates;
    loads += result.loads;
  }
  console.log(`${updates} of ${loads} loads made some of the entries again`);
  // Otherwise this would compare full loads with full loads.
  expect(updates).toBeGreaterThan(loads / 4);
});

async function compareLoads(random: SeededRandom, name: string) {
  const service = createService(random);
  let collections = chooseCollections(random);
  const settings = {
    concurrency: 1 + random(2),
    drafts: random(4) === 0,
    strict: random(4) === 0,
    required: chooseRequired(random),
    onInvalid: (random(4) === 0 ? 'fail' : 'skip') as OnInvalid,
  };
  const storage = new CacheStorage();
  let store = new AstroStore();
  const olderStores: AstroStore[] = [];
  const olderCaches: ReadonlyMap<string, unknown>[] = [];
  const steps: string[] = [JSON.stringify({ collections, settings })];
  let updates = 0;
  let loads = 0;
  for (let step = 0; step < 8; step++) {
    service.clock.advance(random(3) === 0 ? 0 : 60_000 * random(60));
    if (step > 0) for (let edits = 1 + random(3); edits > 0; edits--) steps.push(edit(service, random));
    if (step > 2 && random(6) === 0) {
      store = (olderStores[random(olderStores.length)] as AstroStore).copy();
      steps.push('an older store');
    }
    if (step > 2 && random(10) === 0) {
      storage.restore(olderCaches[random(olderCaches.length)] as ReadonlyMap<string, unknown>);
      steps.push('an older cache');
    }
    if (step > 2 && random(10) === 0) {
      collections = chooseCollections(random);
      steps.push(JSON.stringify({ collections }));
    }
    // An empty store shows whether an entry was kept that should have been made again.
    const isFirst = random(4) === 0;
    const full = isFirst ? new AstroStore() : store.copy();
    for (const collection of Object.keys(collections))
      full.context(collection, () => {}).meta.delete('astro-luid:members');
    const verify = random(12) === 0;
    const build = async (into: AstroStore) =>
      load(service, storage, into, collections, { ...settings, verify });
    const incremental = await build(store);
    // The same content: nothing was edited since, and the cache has it.
    const complete = await build(full);
    steps.push(`build${verify ? ' that verifies' : ''}: ${incremental.log.join(', ')}`);
    for (const [index, collection] of Object.keys(collections).entries()) {
      // A load that fails leaves the store as it was.
      if (isFirst && complete.errors[index] !== '') continue;
      const message = `${name}: ${collection} after\n${steps.join('\n')}`;
      const [actual, wanted] = [[...store.entries(collection)], [...full.entries(collection)]];
      if (isFirst) for (const entries of [actual, wanted]) entries.sort(([a], [b]) => (a < b ? -1 : 1));
      expect(actual, message).toEqual(wanted);
    }
    if (isFirst)
      expect(danglingReferences(full, collections, complete), `${name} after\n${steps.join('\n')}`).toEqual(
        [],
      );
    expect(incremental.errors, `${name}: errors after\n${steps.join('\n')}`).toEqual(complete.errors);
    expect(complete.log.filter((line) => line.includes('made again'))).toEqual([]);
    updates += incremental.log.length;
    loads += step > 0 ? Object.keys(collections).length : 0;
    olderStores.push(store.copy());
    olderCaches.push(storage.copy());
  }
  return { updates, loads };
}

/** References to entries that do not exist. */
function danglingReferences(store: AstroStore, collections: Collections, { errors }: Loaded): unknown[] {
  const names = Object.keys(collections);
  const isWhole = (name: string) => errors[names.indexOf(name)] === '';
  return names.flatMap((name) =>
    [...store.entries(name)].flatMap(([, { data }]) =>
      ['author', 'subject'].flatMap((field) => {
        const reference = data[field] as { collection?: string; id: string } | null | undefined;
        const target = reference?.collection;
        if (target === undefined || !isWhole(target)) return [];
        return store.entries(target).has(reference?.id as string) ? [] : [{ name, field, reference }];
      }),
    ),
  );
}

interface Loaded {
  /** What was made again, where not everything was. */
  readonly log: readonly string[];
  readonly errors: readonly string[];
}

/** Loads all collections at once, as Astro does. */
async function load(
  service: Emulator,
  cache: CacheStorage,
  store: AstroStore,
  collections: Collections,
  {
    concurrency,
    drafts,
    strict,
    required,
    onInvalid,
    verify,
  }: {
    concurrency: number;
    drafts: boolean;
    strict: boolean;
    required: readonly RequiredField[];
    onInvalid: OnInvalid;
    verify: boolean;
  },
): Promise<Loaded> {
  const { storage, end } = cache.open();
  const space = openSpace(service, {
    strict,
    required,
    cache: { storage },
    onInvalid,
    network: { concurrency },
    ...(verify && { verify: 'always' as const }),
  });
  const log: string[] = [];
  const results = await Promise.allSettled(
    Object.entries(collections).map(([name, { model, ...options }]) =>
      space.loader(model as never, { ...options, drafts } as never).load(
        store.context(name, (line) => {
          if (line.includes('made again')) log.push(line);
        }),
      ),
    ),
  );
  end();
  // In an error of several collections, these are in the order in which they failed.
  const linesOf = (error: unknown) => String(error).split('\n').sort().join('\n');
  const errors = results.map((result) => (result.status === 'rejected' ? linesOf(result.reason) : ''));
  return { log, errors };
}
