import { expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import { defineSpace } from '../../../src/index.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import {
  LINKS,
  linksTo,
  MEDIA,
  MODEL_NAMES,
  type ModelName,
  SERVICE_MODELS,
  titleField,
} from '../../histories/models.ts';
import { LANGUAGES, seedOf } from '../../histories/seed.ts';
import { CacheStorage } from '../../histories/storage.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

const RUNS = Number(process.env.LUID_RUNS ?? 300);
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

type Options = Record<string, unknown>;
/** The options of the loaders of a site, by collection. */
type Collections = Record<string, { readonly model: ModelName } & Options>;

async function compareLoads(random: SeededRandom, name: string) {
  const service = createService(random);
  let collections = chooseCollections(random);
  const settings = { concurrency: 1 + random(2), drafts: random(4) === 0, strict: random(4) === 0 };
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
    expect(incremental.errors, `${name}: errors after\n${steps.join('\n')}`).toEqual(complete.errors);
    expect(complete.log.filter((line) => line.includes('made again'))).toEqual([]);
    updates += incremental.log.length;
    loads += step > 0 ? Object.keys(collections).length : 0;
    olderStores.push(store.copy());
    olderCaches.push(storage.copy());
  }
  return { updates, loads };
}

function createService(random: SeededRandom): Emulator {
  // With more than 100, not everything is among the newest, and a sync does not read everything.
  const size = [12, 60, 130, 250][random(4)] as number;
  const seed = seedOf({ size, perSecond: 1 + random(3), subSpaces: false, draftEvery: 5 + random(5) });
  const origin = `http://incremental-${Math.random()}.test`;
  const service = createEmulator(seed, { origin, rateLimit: false });
  service.clock.set(Date.UTC(2026, 0, 2));
  // More references than the seed has, in all places.
  for (let n = size / 6; n > 0; n--) link(service, random);
  for (const [luid, model] of [
    ['mentor', 'author'],
    ['author', 'article'],
  ] as const) {
    for (let n = 0; n < 4; n++) {
      const [from, to] = [idOf(service, random, model), idOf(service, random, 'author')];
      attempt(() => service.contents.edit(from, { [luid]: to }));
    }
  }
  return service;
}

function chooseCollections(random: SeededRandom): Collections {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const languages = pick([
    {},
    {},
    { lang: 'en' },
    { lang: 'en', fallback: true },
    { langs: ['ja', 'en'], fallback: true },
    { langs: ['en', 'fr'] },
    { langs: ['fr', 'ja'], fallback: true },
  ]);
  const author = {
    model: 'author' as const,
    depth: random(3),
    ...pick([
      {},
      { where: { name: { contains: '1' } } },
      { where: { 'mentor.name': { contains: 'item' } } },
      { where: { 'mentor.name': { contains: '1' } } },
    ]),
    ...pick([{}, { neighbours: { order: 'name' } }]),
    ...pick([{}, { id: 'name' }]),
    ...pick([{}, {}, { fields: [] }, { fields: ['name', 'portrait'] }, { fields: ['mentor'] }]),
    ...languages,
  };
  const article = {
    model: 'article' as const,
    depth: random(4),
    ...pick([
      {},
      {},
      { where: { 'author.name': { contains: 'item' } } },
      { where: { 'subject._title': { contains: '1' } } },
      { where: { featured: { eq: true } } },
      { where: { title: { contains: 'item' } } },
    ]),
    ...pick([
      {},
      { neighbours: { order: 'title' } },
      { neighbours: { order: ['category', '-_updated_at'] } },
      { neighbours: { order: '-_created_at' } },
    ]),
    ...pick([
      {},
      {},
      { references: { author: 'authors' }, depth: 0 },
      { references: { author: 'authors', subject: 'articles' } },
    ]),
    ...pick([{}, { body: 'body' }]),
    ...pick([{}, { id: 'title' }]),
    ...pick([
      {},
      {},
      { fields: [] },
      { fields: ['title', 'cover', 'featured'] },
      { fields: ['author', 'related'] },
      { fields: ['body', 'sections', 'seo', 'subject'] },
    ]),
    ...languages,
  };
  const note = {
    model: 'note' as const,
    depth: random(3),
    ...pick([{}, languages]),
    ...pick([{}, { fields: ['about'] }]),
  };
  return { authors: author, articles: article, ...(random(2) === 0 && { notes: note }) };
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
    verify,
  }: { concurrency: number; drafts: boolean; strict: boolean; verify: boolean },
): Promise<Loaded> {
  const { extra: _, ...models } = SERVICE_MODELS;
  const { storage, end } = cache.open();
  const space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    draftApiKey: 'drafts',
    languages: LANGUAGES,
    models,
    strict,
    cache: { storage },
    onInvalid: 'skip',
    network: { concurrency, requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0 },
    ...(verify && { verify: 'always' as const }),
    fetch: service.fetch,
  } as never);
  const connect = space.connect.bind(space);
  const clock = { now: () => service.clock.now(), sleep: () => new Promise<void>(() => {}) };
  space.connect = (which) => async () => ({ ...(await connect(which)()), clock });
  const log: string[] = [];
  const results = await Promise.allSettled(
    Object.entries(collections).map(([name, { model, ...options }]) =>
      space
        .loader(model as never, { ...options, drafts } as never)
        .load(store.context(name, (line) => line.includes('made again') && log.push(line))),
    ),
  );
  end();
  const errors = results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));
  return { log, errors };
}

/** Changes something, and says what. What is not possible changes nothing. */
function edit(service: Emulator, random: SeededRandom): string {
  const { contents, media } = service;
  const id = 1 + random(random(2) === 0 ? 9 : 60);
  const text = `edit ${random(1000)} ${random(2) === 0 ? 'item' : '1'}`;
  const model = modelOf(contents, id);
  const field = model ? titleField(model) : 'title';
  const actions: Record<string, () => void> = {
    rename: () => contents.edit(id, { [field]: text }),
    'rename in English': () => contents.edit(id, { [field]: text }, { lang: 'en' }),
    link: () => link(service, random),
    unlink: () =>
      contents.edit(
        id,
        Object.fromEntries(
          LINKS.filter((luid) => model && luid in SERVICE_MODELS[model]).map((luid) => [luid, null]),
        ),
      ),
    feature: () =>
      contents.edit(id, { featured: random(2) === 0, category: random(2) === 0 ? 'news' : 'event' }),
    archive: () => contents.archive(id),
    restore: () => contents.restore(id),
    publish: () => contents.publish(id),
    unpublish: () => contents.unpublish(id),
    delete: () => contents.remove(id),
    'change an alt': () => {
      const cover = MEDIA[random(2)] as number;
      media.setAlt(cover, text);
      // Seen with the next item that shows it.
      contents.edit(idOf(service, random, 'article'), { cover });
    },
    'take a title': () => {
      const { published } = contents.get(idOf(service, random, 'article'));
      contents.edit(idOf(service, random, 'article'), { title: published?.ja?.title ?? text });
    },
    'rename an author': () => contents.edit(idOf(service, random, 'author'), { name: text }),
    create: () => {
      const created = MODEL_NAMES[random(MODEL_NAMES.length)] as ModelName;
      const data = {
        ja: { [titleField(created)]: text },
        ...(random(2) === 0 && { en: { [titleField(created)]: text } }),
      };
      contents.create({ model: created, published: data });
    },
  };
  const names = Object.keys(actions);
  const name = names[random(names.length)] as string;
  return `${name} ${model} ${id}${attempt(() => actions[name]?.()) ? '' : ': not possible'}`;
}

function link(service: Emulator, random: SeededRandom): void {
  const { contents } = service;
  const [from, to] = [1 + random(40), 1 + random(12)];
  const [model, target] = [modelOf(contents, from), modelOf(contents, to)];
  if (!model || !target) return;
  attempt(() =>
    contents.edit(from, linksTo(model, to, target, random(8)), random(3) === 0 ? { lang: 'en' } : {}),
  );
}

/** Whether a change is possible: content may be archived, or have no such language. */
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

/** The id of some content of a model. */
function idOf({ contents }: Emulator, random: SeededRandom, model: ModelName): number {
  const ids = Array.from({ length: 40 }, (_, n) => n + 1).filter((id) => modelOf(contents, id) === model);
  return ids[random(ids.length)] ?? 1;
}

function modelOf(contents: Emulator['contents'], id: number): ModelName | undefined {
  try {
    return contents.get(id).model as ModelName;
  } catch {
    // It was deleted, or never created.
    return undefined;
  }
}
