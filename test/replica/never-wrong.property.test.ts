import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import type { Assumptions } from '../../src/emulator/index.ts';
import { mapLeaves } from '../../src/models/walk.ts';
import { type House, MODELS, openHouse, truth } from './house.ts';

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
  | { readonly kind: 'crash'; readonly write: number }
  | {
      readonly kind: 'sync';
      readonly audit: boolean;
      readonly pop: 'a' | 'b';
      readonly meanwhile: readonly (readonly Edit[])[];
    };

const edit: fc.Arbitrary<Edit> = fc.record({ kind: fc.constantFrom(...EDITS), n: fc.nat(1_000_000) });
const sync: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('sync' as const),
  audit: fc.boolean().map((flag) => flag),
  pop: fc.constantFrom('a' as const, 'a' as const, 'b' as const),
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 8 }) },
  ),
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
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      n: fc.nat(1000),
      how: fc.constantFrom('flip' as const, 'cut' as const, 'delete' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), write: fc.nat(4) }) },
);

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record({
  tieOrder: fc.constantFrom('id', 'reverse', 'shuffled'),
  timeResolution: fc.constantFrom('second', 'ms'),
  unseenTarget: fc.constantFrom('empty', 'id'),
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
  size: fc.integer({ min: 0, max: 330 }),
  perSecond: fc.constantFrom(1, 3, 150),
  drafts: fc.boolean(),
});

const names = Object.keys(MODELS);
const titleOf = (model: string) => (model === 'author' ? 'name' : 'title');

function seedFor({ size, perSecond }: { size: number; perSecond: number }) {
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
      const model = names[(index * 7) % 3 === 0 ? 1 : index % 4] as string;
      const data = { [titleOf(model)]: `item ${index}` };
      return {
        id: index + 1,
        model,
        created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / perSecond) * 1000).toISOString(),
        ...(index % 9 === 4 ? { draft: { ja: data } } : { published: { ja: data } }),
      };
    }),
  };
}

/** A world: the service, a replica of it, and what the replica cannot know until all is read again. */
class World {
  readonly house: House;
  readonly apiKey: string;
  readonly #assumed: Partial<Assumptions>;
  ids: number[];
  /** Items that changed without a time that tells. */
  unseen = new Set<number>();
  /** Items restored with their old time, and items that went, since the last sync. */
  restored = new Set<number>();
  went = new Set<number>();
  mediaChanged = false;
  /** Until when another region's copies may be old. */
  staleUntil = 0;
  #next = 0;

  constructor(config: { size: number; perSecond: number; drafts: boolean }, assumed: Partial<Assumptions>) {
    this.house = openHouse(seedFor(config), { assumptions: assumed, random: config.size + 1 });
    this.apiKey = config.drafts ? 'drafts' : 'published';
    this.#assumed = assumed;
    this.ids = Array.from({ length: config.size }, (_, index) => index + 1);
  }

  edit({ kind, n }: Edit): void {
    const { contents, media, clock } = this.house.service;
    const id = this.ids[n % Math.max(1, this.ids.length)] ?? 0;
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
      },
      relink: () => {
        const target = this.ids[(n * 31 + 7) % this.ids.length] ?? 0;
        if (record?.model === 'page')
          contents.edit(id, { article: target, blocks: [{ luid: 'link', fields: { to: target } }] });
        else if (record?.model === 'article')
          contents.edit(id, { author: target, related: [{ article: target }], cover: 900_001 });
        else if (record?.model === 'author') contents.edit(id, { portrait: 900_002 });
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

  damage(n: number, how: 'flip' | 'cut' | 'delete'): void {
    const files = readdirSync(this.house.dir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const file = files[n % Math.max(1, files.length)];
    if (!file) return;
    const path = join(file.parentPath, file.name);
    if (how === 'delete') rmSync(path);
    else if (how === 'cut') truncateSync(path, n % (readFileSync(path).length + 1));
    else {
      const bytes = readFileSync(path);
      const at = n % Math.max(1, bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    }
  }

  async sync({ audit, pop, meanwhile }: Extract<Step, { kind: 'sync' }>): Promise<void> {
    const { house, apiKey } = this;
    let request = 0;
    house.service.beforeRequest = () => {
      for (const one of meanwhile[request++] ?? []) this.edit(one);
    };
    // A purge reaches the region `a` at once, or like all others after its delay.
    const delayed = pop === 'b' || this.#assumed.purgeReach === 'all';
    const stale = delayed && house.service.clock.now() < this.staleUntil;
    const fetch: typeof globalThis.fetch = (url, init) =>
      house.service.fetch(url as string, {
        ...init,
        headers: { ...(init?.headers as object), 'x-luid-pop': pop },
      });
    const balanced = this.restored.size > 0 && this.went.size > 0;
    const replica = await house.sync({ apiKey, audit, fetch, concurrency: 2, models: MODELS });
    house.service.beforeRequest = undefined;
    const quiet = meanwhile.length === 0;
    if (audit && quiet) {
      this.unseen.clear();
      this.mediaChanged = false;
      this.restored.clear();
      this.went.clear();
      await this.compare(await replica.items(), new Set());
    } else if (quiet && !stale) {
      if (balanced) for (const id of [...this.restored, ...this.went]) this.unseen.add(id);
      this.restored.clear();
      this.went.clear();
      await this.compare(await replica.items(), this.unseen);
    }
  }

  /** Equal, but for the items that cannot be known and what refers to them. */
  async compare(ours: ReadonlyMap<number, WireContent>, unknown: ReadonlySet<number>): Promise<void> {
    const theirs = await truth(this.house, MODELS, this.apiKey);
    const plain = (items: ReadonlyMap<number, WireContent>) =>
      Object.fromEntries(
        [...items.values()]
          .filter(({ _id }) => !unknown.has(_id))
          .map((item) => [
            item._id,
            mapLeaves(MODELS[item._model as keyof typeof MODELS], item, ({ field, value }) => {
              if (field.type === 'media') return this.mediaChanged ? 'media' : value;
              if (unknown.size > 0 && unknown.has(value as number)) return null;
              return this.#assumed.unseenTarget === 'id' && !items.has(value as number) ? null : value;
            }),
          ]),
      );
    expect(plain(ours)).toEqual(plain(theirs));
  }
}

async function live(
  config: { size: number; perSecond: number; drafts: boolean },
  assumed: Partial<Assumptions>,
  steps: readonly Step[],
) {
  const world = new World(config, assumed);
  try {
    for (const one of steps) {
      if (one.kind === 'wait') world.house.service.clock.advance(one.ms);
      else if (one.kind === 'damage') world.damage(one.n, one.how);
      else if (one.kind === 'sync') await world.sync(one);
      else if (one.kind === 'crash') await crash(world, one.write);
      else world.edit(one);
    }
    await world.sync({ kind: 'sync', audit: true, pop: 'a', meanwhile: [] });
  } finally {
    rmSync(world.house.dir, { recursive: true, force: true });
  }
}

/** A sync that ends in the middle of what it asks: nothing of it may be stored. */
async function crash(world: World, after: number): Promise<void> {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (requests++ >= after) throw new Error('the process ended here');
    return world.house.service.fetch(url as string, init);
  };
  await world.house
    .sync({ apiKey: world.apiKey, fetch, concurrency: 2, models: MODELS, audit: after % 2 === 0 })
    .catch(() => {});
}

const RUNS = Number(process.env.LUID_RUNS ?? 300);

test(`a replica is never wrong, in ${RUNS} lives of random edits, faults and syncs`, {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(space, assumptions, fc.array(step, { maxLength: 40 }), (config, assumed, steps) =>
      live(config, assumed, steps),
    ),
    { numRuns: RUNS },
  );
});
