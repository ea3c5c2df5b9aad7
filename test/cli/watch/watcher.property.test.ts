import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assumptions } from '../../../src/emulator/index.ts';
import { MODELS } from '../../support/emulated-space.ts';
import { randomRuns } from '../../support/random-runs.ts';
import {
  type HookBehaviour,
  type Interval,
  type SimulationOptions,
  WatchSimulation,
} from '../support/watch-simulation.ts';

const HOUR = 3600 * 1000;

/** Edits that the heads show in any space. */
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
/** Edits that are only found where everything is read each time, in a small space. */
const HIDDEN = ['unpublish', 'discard', 'restore', 'alt', 'portrait'] as const;
type Kind = (typeof SHOWN)[number] | (typeof HIDDEN)[number];

interface Edit {
  readonly kind: Kind;
  /** Picks an item, a model or a value. */
  readonly n: number;
}

interface Step extends Omit<Interval, 'edits' | 'editsDuringReads'> {
  readonly edits: readonly Edit[];
  readonly editsDuringReads: readonly (Edit | undefined)[];
}

const names = Object.keys(MODELS);
const titleOf = (model: string) => (model === 'author' ? 'name' : 'title');

function applyEdit({ service }: WatchSimulation, { kind, n }: Edit, items: number): void {
  const { contents, media } = service;
  // Few items, so that edits concern the same ones.
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
    // Writes the same values: only the time of publication changes.
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
      editsDuringReads: fc.oneof(
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
      hook: fc.constantFrom<HookBehaviour[]>(
        'ok',
        'ok',
        'ok',
        'ok',
        'error',
        'gone',
        'moved',
        'dropped',
        'response lost',
      ),
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

const cdn = fc.constantFrom('alternating' as const, 'split' as const);

let done = { runs: 0, edits: 0, changes: 0, calls: 0, killed: 0 };

/** Runs the steps and checks that every change was deployed, without unexpected calls. */
async function simulate(options: SimulationOptions, plan: readonly Step[], quietTime: number) {
  const simulation = new WatchSimulation(options);
  await simulation.open();
  try {
    const bind = (one: Edit) => () => applyEdit(simulation, one, options.items);
    const intervals = plan.map((step) => ({
      ...step,
      edits: step.edits.map(bind),
      editsDuringReads: step.editsDuringReads.map((one) => one && bind(one)),
    }));
    await simulation.run(intervals, quietTime);
    const count = plan.reduce(
      (sum, step) => sum + step.edits.length + step.editsDuringReads.filter(Boolean).length,
      0,
    );
    done = {
      runs: done.runs + 1,
      edits: done.edits + count,
      changes: done.changes + simulation.changes,
      calls: done.calls + simulation.calls,
      killed: done.killed + simulation.killed,
    };
    expect(simulation.unexpectedCalls, 'calls without a change').toEqual([]);
    expect(simulation.isDeployed, 'every change is deployed').toBe(true);
  } finally {
    await simulation.close();
  }
}

const RUNS = randomRuns(15);
const SEED = Number(process.env.LUID_SEED ?? Math.floor(Math.random() * 2 ** 31));

async function checkProperty(
  property: fc.IAsyncPropertyWithHooks<['alternating' | 'split', Partial<Assumptions>, Step[]]>,
  runs: number,
) {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} repeats this run`);
  done = { runs: 0, edits: 0, changes: 0, calls: 0, killed: 0 };
  await fc.assert(property, { numRuns: runs, seed: SEED });
  console.log(JSON.stringify(done));
}

test('every change is followed by a hook call, and there is no call without a change', {
  timeout: 36_000_000,
}, async () => {
  await checkProperty(
    fc.asyncProperty(cdn, assumptions, steps([...SHOWN, ...SHOWN, ...HIDDEN]), (locations, assumed, plan) =>
      simulate({ items: 40, cdn: locations, assumptions: assumed }, plan, 3 * HOUR),
    ),
    RUNS,
  );
  // Fewer runs are for debugging.
  if (RUNS >= 80) expect(done.edits).toBeGreaterThan(1000);
});

test('the same in a space that is too large for a full read each time', { timeout: 36_000_000 }, async () => {
  await checkProperty(
    fc.asyncProperty(cdn, assumptions, steps(SHOWN), (locations, assumed, plan) =>
      simulate({ items: 230, concurrency: 2, cdn: locations, assumptions: assumed }, plan, 3 * HOUR),
    ),
    Math.ceil(RUNS / 4),
  );
});
