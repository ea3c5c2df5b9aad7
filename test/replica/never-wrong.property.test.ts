import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { timeOf } from '../../src/contract/item-times.ts';
import type { Assumptions, SeedFields } from '../../src/emulator/index.ts';
import { isMedia, isReference } from '../../src/models/field-types/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { mapValues } from '../../src/models/walk.ts';
import type { Replica } from '../../src/replica/replica.ts';
import { type EmulatedSpace, MODELS, openEmulatedSpace, readFromService } from '../support/emulated-space.ts';
import { flip } from '../support/folder-files.ts';
import { randomRuns } from '../support/random-runs.ts';

/** What an editor may do. `n` picks an item, a model or a value. */
const EDITS = [
  'create',
  'createDraft',
  'edit',
  'saveDraft',
  'publish',
  'unpublish',
  'discard',
  'archive',
  'restore',
  'relink',
  'alt',
  'english',
] as const;
type Edit = { readonly kind: (typeof EDITS)[number]; readonly n: number };

type Step =
  | Edit
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'damage'; readonly n: number; readonly how: 'flip' | 'cut' | 'delete' }
  | { readonly kind: 'crash'; readonly after: number; readonly forceFullSync: boolean }
  | { readonly kind: 'many'; readonly n: number; readonly count: number }
  | { readonly kind: 'configure'; readonly n: number }
  | {
      readonly kind: 'sync';
      readonly forceFullSync: boolean;
      readonly pop: 'a' | 'b';
      readonly meanwhile: readonly (readonly Edit[])[];
    };

const edit: fc.Arbitrary<Edit> = fc.record({
  // What hides and shows items has the most to go wrong.
  kind: fc.constantFrom(...EDITS, 'publish', 'publish', 'archive', 'restore'),
  n: fc.nat(1_000_000),
});
/** Of so many picks one is of all items, and the others of the few that all items refer to. */
const EVERYWHERE = 4;
const FEW = 7;

/** What shifts the pages that are being read. */
const shift: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('archive' as const, 'archive' as const, 'restore' as const, 'create' as const),
  n: fc.nat(250_000).map((n) => EVERYWHERE * n),
});
/** What hides items and shows them, the few that all others refer to among them. */
const comeAndGo: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    'archive' as const,
    'archive' as const,
    'restore' as const,
    'publish' as const,
    'unpublish' as const,
    'relink' as const,
  ),
  n: fc.nat(1_000_000),
});
const gone = shift.map(({ n }) => ({ kind: 'archive' as const, n }));
const sync: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('sync' as const),
  forceFullSync: fc.constantFrom(false, false, false, true),
  pop: fc.constantFrom('a' as const, 'a' as const, 'b' as const),
  meanwhile: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.array(fc.oneof(edit, shift), { maxLength: 2 }), { minLength: 4, maxLength: 10 }),
    },
  ),
});
/** A whole read while items come and go, page after page. */
const shaken: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('sync' as const),
  forceFullSync: fc.constant(true),
  pop: fc.constant('a' as const),
  meanwhile: fc.array(fc.array(fc.oneof(gone, comeAndGo), { maxLength: 4, size: 'max' }), {
    minLength: 4,
    maxLength: 10,
    size: 'max',
  }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: edit },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1000, 1000, 5000, 120_000),
    }),
  },
  { weight: 5, arbitrary: sync },
  { weight: 2, arbitrary: shaken },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      n: fc.nat(1000),
      how: fc.constantFrom('flip' as const, 'cut' as const, 'delete' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      after: fc.nat(5),
      forceFullSync: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('many' as const),
      n: fc.nat(1000),
      count: fc.integer({ min: 110, max: 160 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('configure' as const), n: fc.nat(9) }) },
);

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record({
  tieOrder: fc.constantFrom('id', 'reverse', 'shuffled'),
  timeResolution: fc.constantFrom('second', 'ms'),
  unknownModel: fc.constantFrom('empty', 'error'),
  unknownField: fc.constantFrom('error', 'ignore'),
  unseenTarget: fc.constantFrom('empty', 'id'),
  emptyValues: fc.constantFrom('typed', 'null', 'omitted'),
  publishTouchesUpdatedAt: fc.boolean(),
  unpublishTouchesUpdatedAt: fc.boolean(),
  draftTouchesUpdatedAt: fc.boolean(),
  discardUpdatedAt: fc.constantFrom('restore', 'now', 'keep'),
  archiveTouchesUpdatedAt: fc.boolean(),
  restoreTouchesUpdatedAt: fc.boolean(),
  altTouchesUpdatedAt: fc.boolean(),
  purgeDelay: fc.constantFrom(0, 3000),
  purgeReach: fc.constantFrom('all', 'some'),
  defectStatusFilter: fc.boolean(),
  defectUntranslatedFilter: fc.boolean(),
});

const space = fc.record({
  size: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 3, arbitrary: fc.integer({ min: 220, max: 330 }) },
  ),
  perSecond: fc.constantFrom(1, 3, 150),
  drafts: fc.constantFrom(false, false, true),
  // The clock of the machine that builds may be wrong.
  skew: fc.constantFrom(0, 0, 90_000, -90_000),
});
type Config = { size: number; perSecond: number; drafts: boolean; skew: number };

const names = Object.keys(MODELS);
const titleOf = (model: string) => (model === 'author' ? 'name' : 'title');

/** References to an item, in all places of a model that may refer to items of its kind. */
function linksOf(model: string, target: number, kind: string): SeedFields {
  if (model === 'page')
    return {
      article: target,
      ...(kind === 'page' && { blocks: [{ luid: 'link', fields: { to: target } }] }),
    };
  if (model === 'article')
    return {
      cover: 900_001,
      ...(kind === 'author' && { author: target }),
      ...(kind === 'article' && { related: [{ article: target }] }),
    };
  return model === 'author' ? { portrait: 900_002 } : {};
}

/** Mostly articles, so that one model has several pages. */
const modelAt = (index: number) => names[index % 3 > 0 ? 1 : index % 4] as string;

function seedFor({ size, perSecond }: { size: number; perSecond: number }) {
  const timeOf = (index: number) =>
    new Date(Date.UTC(2026, 0, 1) + Math.floor(index / perSecond) * 1000).toISOString();
  return {
    languages: { main: 'ja', sub: ['en'] },
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
    ],
    models: MODELS,
    media: [
      { id: 900_001, file: 'a.jpg', alt: { ja: 'A' } },
      { id: 900_002, file: 'b.jpg', alt: { ja: 'B' } },
    ],
    contents: Array.from({ length: size }, (_, index) => {
      const model = modelAt(index);
      const target = (index * 13) % FEW;
      // What the heads show would betray a change to any other item that refers to the same.
      const links = index < size - 100 ? linksOf(model, 1 + target, modelAt(target)) : {};
      const data = { [titleOf(model)]: `item ${index}`, ...links };
      return {
        id: index + 1,
        model,
        created_at: timeOf(index),
        // What refers to an item that was created later was edited since.
        updated_at: timeOf(Math.max(index, target)),
        // Several of the few are hidden at first, so that what refers to them is read with empty fields.
        ...((index < FEW ? index % 2 === 1 : index % 9 === 4)
          ? { draft: { ja: data } }
          : { published: { ja: data } }),
      };
    }),
  };
}

/** A world: the service, a replica of it, and what the replica cannot know until all is read again. */
class World {
  readonly emulated: EmulatedSpace;
  readonly apiKey: string;
  readonly #assumed: Partial<Assumptions>;
  ids: number[];
  /** Items that changed without a time that tells. */
  unseen = new Set<number>();
  /** Items restored with their old time, and items that went, of which no sync could know so far. */
  restored = new Set<number>();
  went = new Set<number>();
  /** How often something was restored. */
  restores = 0;
  mediaChanged = false;
  /** Until when another region's copies may be old. */
  staleUntil = 0;
  models: ModelMap = MODELS;
  /** A model was not declared for a while, so what may refer to any model can refer to what went meanwhile. */
  blurred = false;
  /** What the last sync gave, unless the cache was damaged since. */
  last: ReadonlyMap<number, WireContent> | undefined;
  readonly #skew: number;
  // In memory, for speed. What a disk can do to a snapshot has tests of its own.
  readonly #storage = createStorage({ driver: memory() });
  #next = 0;

  constructor(config: Config, assumed: Partial<Assumptions>) {
    this.#skew = config.skew;
    // One address for all lives: what a process shares for an address is never let go.
    const origin = 'http://never-wrong.test';
    this.emulated = openEmulatedSpace(seedFor(config), {
      assumptions: assumed,
      random: config.size + 1,
      origin,
    });
    this.apiKey = config.drafts ? 'drafts' : 'published';
    this.#assumed = assumed;
    this.ids = Array.from({ length: config.size }, (_, index) => index + 1);
  }

  edit({ kind, n }: Edit): void {
    const { contents, media, clock } = this.emulated.service;
    const id = this.#pick(n);
    const model = names[n % names.length] as string;
    const data = (of: string) => ({ [titleOf(of)]: `edit ${++this.#next}` });
    const record = this.ids.length > 0 ? contents.get(id) : undefined;
    const touches = this.#assumed;
    this.staleUntil = clock.now() + (touches.purgeDelay ?? 0);
    const wasVisible = record && !record.archived && (this.apiKey === 'drafts' || record.published);
    const actions: Record<Edit['kind'], () => void> = {
      create: () => this.ids.push(contents.create({ model, published: { ja: data(model) } })),
      createDraft: () => this.ids.push(contents.create({ model, draft: { ja: data(model) } })),
      edit: () => {
        contents.edit(id, data(record?.model ?? ''));
        if (!record?.published && !touches.draftTouchesUpdatedAt) this.unseen.add(id);
      },
      saveDraft: () => {
        contents.saveDraft(id, data(record?.model ?? ''));
        if (!touches.draftTouchesUpdatedAt) this.unseen.add(id);
      },
      publish: () => contents.publish(id),
      unpublish: () => {
        contents.unpublish(id);
        if (!touches.unpublishTouchesUpdatedAt) this.unseen.add(id);
        if (this.apiKey === 'published') this.went.add(id);
      },
      discard: () => {
        contents.discardDraft(id);
        if (touches.discardUpdatedAt !== 'now') this.unseen.add(id);
      },
      archive: () => {
        contents.archive(id);
        if (wasVisible) this.went.add(id);
      },
      restore: () => {
        contents.restore(id);
        this.restored.add(id);
        this.restores += 1;
        // Nobody counts the items of a model that is not declared.
        if (!Object.hasOwn(this.models, record?.model ?? '')) this.unseen.add(id);
      },
      relink: () => {
        const target = this.#pick(n * 31 + 7);
        contents.edit(id, linksOf(record?.model ?? '', target, contents.get(target).model));
        if (!record?.published && !touches.draftTouchesUpdatedAt) this.unseen.add(id);
      },
      alt: () => {
        media.setAlt(n % 2 === 0 ? 900_001 : 900_002, `alt ${++this.#next}`);
        this.mediaChanged = true;
      },
      english: () => contents.edit(id, data(record?.model ?? ''), { lang: 'en' }),
    };
    if (!record && !kind.startsWith('create') && kind !== 'alt') return;
    if (record?.archived && !['create', 'createDraft', 'restore', 'alt'].includes(kind)) return;
    try {
      actions[kind]();
    } catch (error) {
      // What cannot be done to this item (nothing to publish, no draft to discard) is no step.
      if (!(error instanceof Error) || !error.name.startsWith('Luid')) throw error;
    }
  }

  /** An item: mostly one of the few that much happens to, so that one change meets another. */
  #pick(n: number): number {
    const few = n % EVERYWHERE === 0 ? this.ids.length : Math.min(FEW, this.ids.length);
    return this.ids[Math.floor(n / EVERYWHERE) % Math.max(1, few)] ?? 0;
  }

  /** More edits than a head shows. */
  many(n: number, count: number): void {
    for (let k = 0; k < Math.min(count, this.ids.length); k++) {
      this.edit({ kind: 'edit', n: EVERYWHERE * (n + k) });
      if (k % 40 === 39) this.emulated.service.clock.advance(1000);
    }
  }

  /** Another model map: one model less, or all. */
  configure(n: number): void {
    this.models = Object.fromEntries(Object.entries(MODELS).filter((_, index) => index !== n));
    if (n < names.length) this.blurred = true;
    // Each map has a snapshot of its own, so the last one of this map may be older.
    this.last = undefined;
  }

  async damage(n: number, how: 'flip' | 'cut' | 'delete'): Promise<void> {
    this.last = undefined;
    const keys = (await this.#storage.getKeys()).sort();
    const key = keys[n % Math.max(1, keys.length)];
    if (!key) return;
    const bytes = Buffer.from((await this.#storage.getItemRaw(key)) as string | Uint8Array);
    const at = n % Math.max(1, bytes.length);
    if (how === 'delete') {
      // The newest state alone, gone without a trace, would be a build that never was: all of them go.
      const isState = (one: string) => one.includes(':manifest:');
      const lost = isState(key) ? keys.filter(isState) : [key];
      for (const one of lost) await this.#storage.removeItem(one);
    } else if (how === 'cut') await this.#storage.setItemRaw(key, bytes.subarray(0, at));
    else {
      flip(bytes, at);
      await this.#storage.setItemRaw(key, bytes);
    }
  }

  async sync({ forceFullSync, pop, meanwhile }: Extract<Step, { kind: 'sync' }>): Promise<void> {
    const { emulated, apiKey } = this;
    let request = 0;
    let lastEdit = -1;
    emulated.service.clearLog();
    emulated.service.beforeRequest = () => {
      const edits = meanwhile[request++] ?? [];
      if (edits.length > 0) lastEdit = request - 1;
      for (const one of edits) this.edit(one);
    };
    // A purge reaches the region `a` at once, or like all others after its delay.
    const delayed = pop === 'b' || this.#assumed.purgeReach === 'all';
    const stale = delayed && emulated.service.clock.now() < this.staleUntil;
    const fetch: typeof globalThis.fetch = (url, init) =>
      emulated.service.fetch(url as string, {
        ...init,
        headers: { ...(init?.headers as object), 'x-luid-pop': pop },
      });
    const balanced = this.restored.size > 0 && this.went.size > 0;
    const restores = this.restores;
    const replica = await this.open({ apiKey, forceFullSync, fetch });
    emulated.service.beforeRequest = undefined;
    const quiet = meanwhile.length === 0;
    const before = this.last;
    this.last = await replica.items();
    if (forceFullSync && quiet) {
      this.unseen.clear();
      this.mediaChanged = false;
      this.restored.clear();
      this.went.clear();
      this.blurred = Object.keys(this.models).length < names.length;
      await this.compare(this.last, new Set());
    } else if (quiet && !stale) {
      if (balanced) for (const id of [...this.restored, ...this.went]) this.unseen.add(id);
      const theirs = await this.compare(this.last, this.unseen);
      // What one balances is not settled: when the next one goes, the first may show in its place.
      const ours = this.last;
      this.restored = new Set([...this.restored].filter((id) => theirs.has(id) && !ours.has(id)));
      this.went = new Set([...this.went].filter((id) => ours.has(id) && !theirs.has(id)));
    } else if (quiet && before) await this.isNoWorse(before, this.last);
    else if (!quiet) {
      const headsAfter = emulated.service.log.findLastIndex(({ query }) =>
        /order=-_last_published_at/.test(query),
      );
      if (forceFullSync && lastEdit < headsAfter && this.restores === restores) await this.hasAll(this.last);
      // What else was read under edits is right after the next sync.
      await this.sync({ kind: 'sync', forceFullSync: false, pop: 'a', meanwhile: [] });
    }
  }

  /** A whole read has each item that there was when it ended, and no other, whatever happened to its pages. */
  async hasAll(ours: ReadonlyMap<number, WireContent>): Promise<void> {
    const theirs = await readFromService(this.emulated, this.models, this.apiKey);
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
  }

  open(options: Parameters<EmulatedSpace['sync']>[0]): Promise<Replica> {
    const { apiKey, models } = this;
    const cache = { storage: this.#storage };
    return this.emulated.sync({ apiKey, cache, concurrency: 2, models, skew: this.#skew, ...options });
  }

  /**
   * An old copy of the CDN's never takes away what was right, nor turns it back. It may show an item that is gone only if
   * that was created after all that is known, and in a reference to any model the id of content that is not known.
   */
  async isNoWorse(before: ReadonlyMap<number, WireContent>, after: ReadonlyMap<number, WireContent>) {
    const service = await readFromService(this.emulated, this.models, this.apiKey);
    const known = (items: ReadonlyMap<number, WireContent>) => this.plain(items, this.unseen, false);
    const theirs = known(service);
    const now = known(after);
    const right = Object.entries(known(before)).filter(([id, item]) => isDeepStrictEqual(item, theirs[id]));
    expect(right.map(([id]) => now[id])).toEqual(right.map(([, item]) => item));
    const lastEdit = Math.max(...[...before.values()].map((item) => timeOf(item, '_updated_at')));
    const returned = [...after.values()].filter(({ _id }) => !before.has(_id) && !service.has(_id));
    expect(returned.filter((item) => timeOf(item, '_created_at') <= lastEdit)).toEqual([]);
  }

  /** Equal, but for the items that cannot be known and what refers to them. */
  async compare(ours: ReadonlyMap<number, WireContent>, unknown: ReadonlySet<number>) {
    const theirs = await readFromService(this.emulated, this.models, this.apiKey);
    expect(this.plain(ours, unknown)).toEqual(this.plain(theirs, unknown));
    return theirs;
  }

  /** Items by id, without what cannot be known. `hasOthers`: with ids of content that is not among them. */
  plain(
    items: ReadonlyMap<number, WireContent>,
    unknown: ReadonlySet<number>,
    hasOthers = true,
  ): Record<string, WireContent> {
    const known = [...items.values()].filter(({ _id }) => !unknown.has(_id));
    const plain = Object.fromEntries(
      known.map((item) => [
        item._id,
        mapValues(MODELS[item._model as keyof typeof MODELS], item, ({ field, value }) => {
          if (isMedia(field)) return this.mediaChanged ? 'media' : value;
          if (!isReference(field)) return value;
          if (unknown.has(value as number)) return null;
          if (items.has(value as number)) return value;
          // A target that is missing is empty; without a model nobody can tell it from what is not declared.
          const { model } = field;
          const isEmpty = model || !hasOthers || this.blurred || this.#assumed.unseenTarget === 'id';
          return isEmpty ? null : value;
        }),
      ]),
    );
    if (this.#assumed.emptyValues !== 'omitted') return plain;
    // What the service omits, the replica may have as an empty reference.
    const omitEmpty = (_: string, value: unknown) =>
      value === null || value === 'media' ? undefined : value;
    return JSON.parse(JSON.stringify(plain, omitEmpty));
  }
}

async function live(config: Config, assumed: Partial<Assumptions>, steps: readonly Step[]) {
  const world = new World(config, assumed);
  try {
    for (const one of steps) {
      if (one.kind === 'wait') world.emulated.service.clock.advance(one.ms);
      else if (one.kind === 'damage') await world.damage(one.n, one.how);
      else if (one.kind === 'sync') await world.sync(one);
      else if (one.kind === 'crash') await crash(world, one);
      else if (one.kind === 'many') world.many(one.n, one.count);
      else if (one.kind === 'configure') world.configure(one.n);
      else world.edit(one);
    }
    await world.sync({ kind: 'sync', forceFullSync: true, pop: 'a', meanwhile: [] });
  } finally {
    rmSync(world.emulated.dir, { recursive: true, force: true });
  }
}

/** A sync that ends in the middle of what it asks: nothing of it may be stored. */
async function crash(
  world: World,
  { after, forceFullSync }: Extract<Step, { kind: 'crash' }>,
): Promise<void> {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (requests++ >= after) throw new Error('the process ended here');
    return world.emulated.service.fetch(url as string, init);
  };
  await world.open({ fetch, forceFullSync }).catch(() => {});
}

const RUNS = randomRuns(25);
/** The same lives for every change, so that a failure is the change's; `npm run test:long` looks for new ones. */
const SEED = Number(process.env.LUID_SEED ?? 1_464_144_924);

test(`a replica is never wrong, in ${RUNS} histories of random edits, faults and syncs`, {
  timeout: 3_600_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} lives these lives again`);
  await fc.assert(
    fc.asyncProperty(
      space,
      assumptions,
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      (config, assumed, steps) => live(config, assumed, steps),
    ),
    { numRuns: RUNS, seed: SEED },
  );
});
