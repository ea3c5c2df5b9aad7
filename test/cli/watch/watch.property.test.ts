import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assumptions } from '../../../src/emulator/index.ts';
import { MODELS } from '../../support/emulated-space.ts';
import { type HookMood, type Nap, World, type WorldOptions } from '../watch-world.ts';

const HOUR = 3600 * 1000;

/** What an editor may do. Those that heads show in any space, and those that they show in a small one. */
const SHOWN = [
  'create',
  'createDraft',
  'edit',
  'english',
  'saveDraft',
  'publish',
  'archive',
  'again',
] as const;
const HIDDEN = ['unpublish', 'discard', 'restore', 'alt', 'portrait'] as const;
type Kind = (typeof SHOWN)[number] | (typeof HIDDEN)[number];

interface Edit {
  readonly kind: Kind;
  /** Picks an item, a model or a value. */
  readonly n: number;
}

interface Step extends Omit<Nap, 'edits' | 'meanwhile'> {
  readonly edits: readonly Edit[];
  readonly meanwhile: readonly (Edit | undefined)[];
}

const names = Object.keys(MODELS);
const titleOf = (model: string) => (model === 'author' ? 'name' : 'title');

function doTo({ service }: World, { kind, n }: Edit, items: number): void {
  const { contents, media } = service;
  // Few items, so that one edit meets another.
  const id = (n % Math.min(12, items)) + 1;
  const model = kind.startsWith('create') ? (names[n % names.length] as string) : contents.get(id).model;
  const data = { [titleOf(model)]: `edit ${n % 5}` };
  const actions: Record<Kind, () => void> = {
    create: () => contents.create({ model, published: { ja: data } }),
    createDraft: () => contents.create({ model, draft: { ja: data } }),
    edit: () => contents.edit(id, data),
    english: () => contents.edit(id, data, { lang: 'en' }),
    saveDraft: () => contents.saveDraft(id, data),
    publish: () => contents.publish(id),
    // To write what stands there already: only the time of publication moves.
    again: () => contents.edit(id, {}),
    archive: () => contents.archive(id),
    unpublish: () => contents.unpublish(id),
    discard: () => contents.discardDraft(id),
    restore: () => contents.restore(id),
    alt: () => media.setAlt(9_000_001, `alt ${n % 5}`),
    portrait: () => contents.edit(id, model === 'author' ? { portrait: 9_000_001 } : {}),
  };
  actions[kind]();
}

const edit = (kinds: readonly Kind[]) =>
  fc.record<Edit>({ kind: fc.constantFrom(...kinds), n: fc.nat(1_000_000) });

const steps = (kinds: readonly Kind[]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record<Step>({
      edits: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: fc.array(edit(kinds), { maxLength: 4, size: 'max' }) },
      ),
      meanwhile: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.option(edit(kinds), { nil: undefined, freq: 1 }), {
            maxLength: 20,
            size: 'max',
          }),
        },
      ),
      outage: fc.constantFrom('none', 'none', 'none', 'none', 'refused', 'errors', 'half'),
      hook: fc.constantFrom<HookMood[]>('ok', 'ok', 'ok', 'ok', 'error', 'gone', 'moved', 'deaf', 'mute'),
      crash: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.record({ after: fc.nat(30), isDone: fc.boolean() }) },
      ),
    }),
    { minLength: 4, maxLength: 30, size: 'max' },
  );

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record({
  timeResolution: fc.constantFrom('second', 'ms'),
  draftTouchesUpdatedAt: fc.boolean(),
  publishTouchesUpdatedAt: fc.boolean(),
  restoreTouchesUpdatedAt: fc.boolean(),
  purgeDelay: fc.constantFrom(0, 10_000, 50_000),
  purgeReach: fc.constantFrom('all', 'some'),
});

const cdn = fc.constantFrom('turns' as const, 'apart' as const);

let done = { lives: 0, edits: 0, changes: 0, calls: 0, killed: 0 };

/** Lives through the steps, and tells what is wrong then. */
async function live(options: WorldOptions, plan: readonly Step[], calm: number) {
  const world = new World(options);
  await world.open();
  try {
    const bind = (one: Edit) => () => doTo(world, one, options.items);
    const naps = plan.map((step) => ({
      ...step,
      edits: step.edits.map(bind),
      meanwhile: step.meanwhile.map((one) => one && bind(one)),
    }));
    await world.live(naps, calm);
    const count = plan.reduce(
      (sum, step) => sum + step.edits.length + step.meanwhile.filter(Boolean).length,
      0,
    );
    done = {
      lives: done.lives + 1,
      edits: done.edits + count,
      changes: done.changes + world.changes,
      calls: done.calls + world.calls,
      killed: done.killed + world.killed,
    };
    expect(world.baseless, 'calls without a change').toEqual([]);
    expect(world.isDeployed, 'no change is without a call').toBe(true);
  } finally {
    await world.close();
  }
}

const RUNS = Number(process.env.LUID_RUNS ?? 80);
const SEED = Number(process.env.LUID_SEED ?? Math.floor(Math.random() * 2 ** 31));

async function livesOf(
  property: fc.IAsyncPropertyWithHooks<['turns' | 'apart', Partial<Assumptions>, Step[]]>,
  runs: number,
) {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} lives these lives again`);
  done = { lives: 0, edits: 0, changes: 0, calls: 0, killed: 0 };
  await fc.assert(property, { numRuns: runs, seed: SEED });
  console.log(JSON.stringify(done));
}

test('every change is followed by a hook after it, and no hook comes without one', {
  timeout: 600_000,
}, async () => {
  await livesOf(
    fc.asyncProperty(cdn, assumptions, steps([...SHOWN, ...SHOWN, ...HIDDEN]), (copies, assumed, plan) =>
      live({ items: 40, cdn: copies, assumptions: assumed }, plan, 3 * HOUR),
    ),
    RUNS,
  );
  // With fewer lives, somebody looks into one of them.
  if (RUNS >= 80) expect(done.edits).toBeGreaterThan(1000);
});

test('so it is in a space that is too large to be read whole each time', { timeout: 600_000 }, async () => {
  await livesOf(
    fc.asyncProperty(cdn, assumptions, steps(SHOWN), (copies, assumed, plan) =>
      live({ items: 230, concurrency: 2, cdn: copies, assumptions: assumed }, plan, 3 * HOUR),
    ),
    Math.ceil(RUNS / 4),
  );
});
