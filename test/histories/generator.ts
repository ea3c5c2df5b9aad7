import fc from 'fast-check';
import type { Assumptions } from '../../src/emulator/index.ts';
import type { MapChoice } from './models.ts';
import type { StartingSpace } from './seed.ts';
import {
  type Build,
  EDIT_KINDS,
  type Edit,
  type Failure,
  type History,
  type SiteChoice,
  type Step,
  type World,
} from './steps.ts';

const HOSTILE = [
  '"quoted" \'single\' `tick` \\',
  'control \u0000\u0007\u001b[31m\u2028 end',
  '__proto__',
  'constructor',
  '100 % & ?lang=en#x',
  '👩‍👩‍👧 \ud83d',
  '<script>alert(1)</script>',
  '{"_id":1}',
  'long '.repeat(2000),
  '',
];

const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(99).map((n) => `edit ${n}`) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
);

const pick = fc.nat(999);

const editOf = (kinds: readonly Edit['kind'][]): fc.Arbitrary<Edit> =>
  fc.record({ kind: fc.constantFrom(...kinds), item: pick, target: pick, text });

/** What hides and shows items has the most to go wrong. */
const COME_AND_GO = ['publish', 'publish', 'unpublish', 'archive', 'archive', 'restore', 'restore'] as const;
const edit = editOf([...EDIT_KINDS, ...COME_AND_GO]);
const comeAndGo = editOf([...COME_AND_GO, 'link', 'remove English', 'create']);

/** An item goes and comes back inside one build: in the requests `from` and `from + length`. */
const thereAndBack = fc
  .record({
    pair: fc.constantFrom(
      ['archive', 'restore'] as const,
      ['archive', 'restore'] as const,
      ['unpublish', 'publish'] as const,
      ['publish', 'unpublish'] as const,
    ),
    item: pick,
    from: fc.nat(12),
    length: fc.nat(6),
  })
  .map(({ pair: [first, second], item, from, length }) => {
    const requests: Edit[][] = Array.from({ length: from + length + 1 }, () => []);
    const editAs = (kind: Edit['kind']): Edit => ({ kind, item, target: 0, text: '' });
    requests[from]?.push(editAs(first));
    requests[from + length]?.push(editAs(second));
    return requests;
  });

const meanwhile: fc.Arbitrary<Edit[][]> = fc.oneof(
  { weight: 1, arbitrary: thereAndBack },
  {
    weight: 1,
    arbitrary: fc.array(fc.array(fc.oneof(edit, comeAndGo), { maxLength: 2 }), {
      maxLength: 12,
      size: 'max',
    }),
  },
);

const failure: fc.Arbitrary<Failure> = fc.record({
  kind: fc.constantFrom(
    'status 500' as const,
    'status 400' as const,
    'status 403' as const,
    'status 429' as const,
    'network' as const,
    'cut' as const,
    'html' as const,
    'empty' as const,
  ),
  nth: fc.nat(8),
  of: fc.constantFrom('all' as const, 'en' as const, 'en' as const, 'fr' as const),
});

const often = (weight: number, most: number) => fc.nat(most - 1).map((n) => n < weight);

const buildOf = (more: Partial<{ [K in keyof Build]: fc.Arbitrary<Build[K]> }>): fc.Arbitrary<Build> =>
  fc.record({
    kind: fc.constant('build' as const),
    site: fc.constantFrom(0, 0, 1),
    verify: often(1, 6),
    languages: often(3, 4),
    region: fc.constantFrom('a' as const, 'a' as const, 'b' as const),
    retries: fc.constantFrom(0, 2),
    meanwhile: fc.constant([]),
    failure: fc.constant(undefined),
    emptyStore: often(1, 8),
    ...more,
  } as { [K in keyof Build]: fc.Arbitrary<Build[K]> });

const quietBuild = buildOf({});
const disturbedBuild = buildOf({ meanwhile, verify: often(1, 3) });
const failingBuild = buildOf({ failure, retries: fc.constantFrom(0, 0, 2) });
const failingDisturbedBuild = buildOf({ failure, meanwhile });

const mapChoice: fc.Arbitrary<MapChoice> = fc.record({
  author: often(5, 6),
  untyped: often(5, 6),
  nested: often(5, 6),
  event: often(3, 4),
  extra: often(1, 4),
  noteFormat: fc.constantFrom(
    'html' as const,
    'portable_html' as const,
    'portable_html' as const,
    'text' as const,
  ),
});

/** One property of a map changes, more often than several. */
const mapChange: fc.Arbitrary<Partial<MapChoice>> = fc
  .tuple(mapChoice, fc.array(fc.constantFrom(...MAP_KEYS()), { minLength: 1, maxLength: 2 }))
  .map(([choice, keys]) => Object.fromEntries(keys.map((key) => [key, choice[key]])));

function MAP_KEYS(): (keyof MapChoice)[] {
  return ['author', 'untyped', 'nested', 'event', 'extra', 'noteFormat'];
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: edit.map((one) => ({ kind: 'edit' as const, edit: one })) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1000, 1000, 5000, 120_000, 700_000, 90_000_000),
    }),
  },
  { weight: 5, arbitrary: quietBuild },
  { weight: 3, arbitrary: disturbedBuild },
  { weight: 2, arbitrary: failingBuild },
  { weight: 1, arbitrary: failingDisturbedBuild },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit many' as const),
      model: fc.constantFrom('article' as const, 'note' as const),
      count: fc.integer({ min: 90, max: 130 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change map' as const),
      site: fc.constantFrom(0, 0, 1),
      change: mapChange,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'copy cache' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('put back cache' as const), stores: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'wipe cache' as const }) },
);

const start: fc.Arbitrary<StartingSpace> = fc.record({
  size: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 25, arbitrary: fc.integer({ min: 230, max: 300 }) },
    // Articles of more than one segment.
    { weight: 1, arbitrary: fc.integer({ min: 2500, max: 2600 }) },
  ),
  perSecond: fc.constantFrom(1, 3, 150),
  subSpaces: often(1, 5),
  draftEvery: fc.constantFrom(9, 9, 2, 1000),
});

const site: fc.Arbitrary<SiteChoice> = fc.record({
  map: mapChoice,
  depth: fc.constantFrom(1 as const, 2 as const, 0 as const, 3 as const),
  langs: fc.constantFrom<SiteChoice['langs']>(
    { lang: 'en' },
    { langs: ['ja', 'en'] },
    { langs: ['en', 'fr'] },
    { lang: 'ja' },
    { lang: 'fr' },
  ),
  fallback: often(2, 3),
  drafts: often(1, 3),
  space: fc.constantFrom('all' as const, '_parent' as const, 'shop' as const, 'shop-only key' as const),
});

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record(
  {
    unknownModel: fc.constantFrom('empty', 'error'),
    unknownField: fc.constantFrom('error', 'ignore'),
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
    mediaArchivePurges: fc.boolean(),
    purgeDelay: fc.constantFrom(0, 0, 2000, 3000),
    purgeReach: fc.constantFrom('all', 'some'),
    defectStatusFilter: fc.boolean(),
    defectUntranslatedFilter: fc.boolean(),
  },
  { requiredKeys: [] },
);

const world: fc.Arbitrary<World> = fc.record({
  start,
  sites: fc.array(site, { minLength: 1, maxLength: 2 }),
  assumptions: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: assumptions }),
  concurrency: fc.constantFrom(2 as const, 2 as const, 2 as const, 16 as const),
  bareHeaders: fc.boolean(),
  skew: fc.constantFrom(0, 0, 90_000, -90_000),
});

/** Random histories of a space and of the sites that are built from it. */
export const history: fc.Arbitrary<History> = fc.record({
  world,
  steps: fc.array(step, { minLength: 3, maxLength: 30, size: 'max' }),
});
