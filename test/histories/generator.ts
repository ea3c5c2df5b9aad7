import fc from 'fast-check';
import type { Assumptions } from '../../src/emulator/index.ts';
import { type MapChoice, REQUIRED_FIELDS } from './models.ts';
import { FEW_COUNT, type StartingSpace } from './seed.ts';
import {
  type Build,
  EDIT_KINDS,
  type Edit,
  type Failure,
  type History,
  type Setup,
  type SiteChoice,
  type Step,
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
/** One of the few that all others refer to. */
const oneOfFew = fc.nat(FEW_COUNT - 1).map((n) => 4 * n);

const editOf = (kinds: readonly Edit['kind'][]): fc.Arbitrary<Edit> =>
  fc.record({ kind: fc.constantFrom(...kinds), item: pick, target: pick, text });

/** What hides and shows items has the most to go wrong. */
const COME_AND_GO = ['publish', 'publish', 'unpublish', 'archive', 'archive', 'restore', 'restore'] as const;
const edit = editOf([...EDIT_KINDS, ...COME_AND_GO]);
const comeAndGo = editOf([...COME_AND_GO, 'link', 'remove English', 'create']);

/** Items go and come back inside one build: in the requests `from` and `from + length`. */
const thereAndBack = fc
  .record({
    pair: fc.constantFrom(
      ['archive', 'restore'] as const,
      ['archive', 'restore'] as const,
      ['unpublish', 'publish'] as const,
      ['publish', 'unpublish'] as const,
    ),
    items: fc.array(oneOfFew, { minLength: 1, maxLength: 6, size: 'max' }),
    from: fc.oneof(fc.nat(7), fc.nat(20)),
    length: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ pair: [first, second], items, from, length }) => {
    const requests: Edit[][] = Array.from({ length: from + length + 1 }, () => []);
    const editAs = (kind: Edit['kind']) => items.map((item): Edit => ({ kind, item, target: 0, text: '' }));
    requests[from]?.push(...editAs(first));
    requests[from + length]?.push(...editAs(second));
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
  nth: fc.constantFrom(0, 0, 1, 2, 3, 5, 8),
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
    // What fits in one round is read without heads.
    concurrency: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      2 as const,
      16 as const,
    ),
    meanwhile: fc.constant([]),
    isFollowed: often(2, 3),
    failure: fc.constant(undefined),
    emptyStore: often(1, 8),
    ...more,
  } as { [K in keyof Build]: fc.Arbitrary<Build[K]> });

const quietBuild = buildOf({});
const disturbedBuild = buildOf({ meanwhile, verify: often(1, 2) });
const failingBuild = buildOf({ failure, retries: fc.constantFrom(0, 0, 2) });
const failingDisturbedBuild = buildOf({ failure, meanwhile });

const mapChoice: fc.Arbitrary<MapChoice> = fc.record({
  author: often(3, 4),
  untyped: often(4, 5),
  nested: often(4, 5),
  event: often(3, 4),
  extra: often(1, 4),
  authorFormat: fc.constantFrom('html' as const, 'portable_html' as const),
  noteFormat: fc.constantFrom(
    'html' as const,
    'portable_html' as const,
    'portable_html' as const,
    'text' as const,
  ),
  reversed: often(1, 4),
  required: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...REQUIRED_FIELDS], { minLength: 1, maxLength: 2 }) },
  ),
});

const editStep = (edits: fc.Arbitrary<Edit>): fc.Arbitrary<Step> =>
  edits.map((one) => ({ kind: 'edit' as const, edit: one }));

const wait: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 1000, 1000, 5000, 120_000, 700_000, 90_000_000),
});

const editMany: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('edit many' as const),
  model: fc.constantFrom('note' as const, 'note' as const, 'article' as const),
  count: fc.integer({ min: 105, max: 130 }),
});

const archiveMany: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('archive many' as const),
  model: fc.constantFrom('note' as const, 'note' as const, 'article' as const),
  count: fc.integer({ min: 60, max: 130 }),
});

const changeMap: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('change map' as const),
  site: fc.constantFrom(0, 0, 1),
  toggle: fc.constantFrom(
    'author',
    'author',
    'untyped',
    'nested',
    'event',
    'extra',
    'noteFormat',
    'authorFormat',
    'reversed',
  ),
});

/** Items are hidden or linked to; a site is built; they come and go while it does not look; it is built again. */
const story: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(
      editStep(
        editOf(['unpublish', 'archive', 'create draft', 'link', 'link by draft', 'link in English only']),
      ),
      {
        maxLength: 3,
      },
    ),
    fc.oneof(quietBuild, quietBuild, failingBuild).map((one) => [one]),
    fc.array(fc.oneof(editMany, editMany, changeMap, wait, failingBuild, editStep(edit)), { maxLength: 3 }),
    fc.array(editStep(comeAndGo), { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof(changeMap, failingBuild, wait), { maxLength: 1 }),
    quietBuild.map((one) => [one]),
  )
  .map((parts) => parts.flat());

/** Picks the first item, a hidden author; or the first that was created later; or any. */
const HIDDEN = 0;
const CREATED = 4 * FEW_COUNT;
/** A new item of this number is an author. */
const AUTHOR = 0;
const ONE_SECOND: Step = { kind: 'wait', ms: 1000 };

const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 1 });

const calm = { site: fc.constant(0), verify: fc.constant(false), languages: often(5, 6) };
const calmBuild = buildOf(calm);
const failsInEnglish = buildOf({
  ...calm,
  languages: fc.constant(true),
  retries: fc.constant(0),
  failure: failure.map((one) => ({ ...one, of: 'en' as const })),
});
const mainOnly = buildOf({ ...calm, languages: fc.constant(false) });

/** A target that is not published is linked to, the link sinks below the newest items, and the target is published. */
const lateArrival: fc.Arbitrary<Step[]> = fc
  .record({
    target: fc.constantFrom(HIDDEN, CREATED, CREATED),
    // Any item, not one of the few.
    item: fc.nat(249).map((n) => 4 * n + 3),
    how: fc.constantFrom(...LINK_KINDS()),
    text,
  })
  .chain(({ target, item, how, text: title }) => {
    const edited = (kind: Edit['kind'], of: number): Step => ({
      kind: 'edit',
      edit: { kind, item: of, target, text: title },
    });
    return fc
      .tuple(
        maybe(fc.constantFrom(edited('edit in English', target), edited('edit in French', target))),
        fc.array(editMany, { minLength: 1, maxLength: 2 }),
        calmBuild,
        maybe(fc.oneof(wait, editMany, changeMap)),
        fc.constantFrom<Edit['kind'][]>(
          ['publish'],
          ['publish'],
          ['publish', 'archive', 'restore'],
          ['publish', 'unpublish', 'publish'],
        ),
        maybe(fc.oneof(failsInEnglish, failsInEnglish, mainOnly, changeMap)),
        calmBuild,
      )
      .map(([languages, many, first, between, shown, meantime, last]) => [
        ...(target === CREATED ? [edited('create draft', AUTHOR)] : []),
        ...languages,
        ONE_SECOND,
        edited(how, item),
        ...(how === 'link by draft' ? [edited('publish', item)] : []),
        ONE_SECOND,
        ...many,
        first,
        ONE_SECOND,
        ...between,
        ...shown.map((kind) => edited(kind, target)),
        ...meantime,
        last,
      ]);
  });

/** The few come and go. */
const ofTheFew: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('publish' as const, 'publish' as const, 'archive' as const, 'restore' as const),
  item: oneOfFew,
  target: pick,
  text,
});

/** Something is declared only after its targets came or went. */
const lateDeclaration: fc.Arbitrary<Step[]> = fc
  .tuple(
    changeMap,
    calmBuild,
    fc.array(editStep(ofTheFew), { minLength: 1, maxLength: 4, size: 'max' }),
    maybe(calmBuild),
    maybe(editMany),
    calmBuild,
  )
  .map(([change, first, edits, between, many, last]) => {
    const both: Step = { ...change, site: 0 } as Step;
    return [both, first, ONE_SECOND, ...edits, ...between, ...many, both, last];
  });

/** Everything is read while items go and come back. */
const disturbedWholeRead: fc.Arbitrary<Step[]> = fc
  .tuple(fc.boolean(), buildOf({ ...calm, meanwhile: thereAndBack, languages: fc.boolean() }))
  .map(([clear, build]) => (clear ? [{ kind: 'clear cache' }, build] : [{ ...build, verify: true }]));

/** Some of the few are hidden while a site is built, and shown again after other builds: within the purge delay, or not. */
const hiddenUntilLater: fc.Arbitrary<Step[]> = fc
  .record({
    items: fc.array(oneOfFew, { minLength: 1, maxLength: 4, size: 'max' }),
    referrer: fc.nat(249).map((n) => 4 * n + 3),
    how: fc.constantFrom<Edit['kind']>('edit', 'edit in English', ...LINK_KINDS()),
    pair: fc.constantFrom(['archive', 'restore'] as const, ['unpublish', 'publish'] as const),
    request: fc.nat(20),
    text,
  })
  .chain(({ items, referrer, how, pair: [hide, show], request, text: title }) => {
    const [target = 0] = items;
    const edited = (kind: Edit['kind'], item: number): Edit => ({ kind, item, target, text: title });
    const step = (one: Edit): Step => ({ kind: 'edit', edit: one });
    const meanwhile = [...Array.from({ length: request }, () => []), items.map((item) => edited(hide, item))];
    return fc
      .tuple(
        calmBuild,
        maybe(editMany),
        buildOf({ ...calm, meanwhile: fc.constant(meanwhile), isFollowed: fc.constant(false) }),
        maybe(fc.oneof(calmBuild, mainOnly, failsInEnglish, disturbedBuild, wait)),
        maybe(fc.oneof(editMany, wait, editStep(edit))),
        calmBuild,
      )
      .map(([first, many, disturbed, between, later, last]) => [
        ...items.map((item) => step(edited('publish', item))),
        first,
        ONE_SECOND,
        step(edited(how, referrer)),
        ONE_SECOND,
        ...many,
        disturbed,
        ...between,
        ...items.map((item) => step(edited(show, item))),
        ...later,
        last,
      ]);
  });

function LINK_KINDS(): Edit['kind'][] {
  return ['link', 'link in one place', 'link in English only', 'link by draft'];
}

const steps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 8, arbitrary: editStep(edit).map((one) => [one]) },
  { weight: 3, arbitrary: wait.map((one) => [one]) },
  { weight: 4, arbitrary: quietBuild.map((one) => [one]) },
  { weight: 3, arbitrary: disturbedBuild.map((one) => [one]) },
  { weight: 2, arbitrary: failingBuild.map((one) => [one]) },
  { weight: 1, arbitrary: failingDisturbedBuild.map((one) => [one]) },
  { weight: 1, arbitrary: editMany.map((one) => [one]) },
  { weight: 1, arbitrary: archiveMany.map((one) => [one]) },
  { weight: 2, arbitrary: changeMap.map((one) => [one]) },
  { weight: 1, arbitrary: fc.constant<Step[]>([{ kind: 'copy cache' }]) },
  { weight: 1, arbitrary: fc.boolean().map((stores): Step[] => [{ kind: 'restore cache', stores }]) },
  { weight: 1, arbitrary: fc.constant<Step[]>([{ kind: 'clear cache' }]) },
  { weight: 4, arbitrary: story },
  { weight: 7, arbitrary: lateArrival },
  { weight: 4, arbitrary: lateDeclaration },
  { weight: 5, arbitrary: disturbedWholeRead },
  { weight: 7, arbitrary: hiddenUntilLater },
);

const start: fc.Arbitrary<StartingSpace> = fc.record({
  size: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 30, arbitrary: fc.integer({ min: 260, max: 320 }) },
    // Notes of more than one segment.
    { weight: 1, arbitrary: fc.integer({ min: 2200, max: 2300 }) },
  ),
  perSecond: fc.constantFrom(1, 3, 150),
  subSpaces: often(1, 5),
  draftEvery: fc.constantFrom(9, 9, 2, 1000),
  // With half of them, the main language is read in one round where English is not.
  onlyEnglishEvery: fc.constantFrom(20, 20, 20, 2),
});

const site: fc.Arbitrary<SiteChoice> = fc.record({
  map: mapChoice,
  depth: fc.constantFrom(1 as const, 2 as const, 0 as const, 3 as const),
  langs: fc.constantFrom<SiteChoice['langs']>(
    { lang: 'en' },
    { langs: ['ja', 'en'] },
    { langs: ['en', 'fr'] },
    { lang: 'en' },
    { langs: ['ja', 'en'] },
    { lang: 'ja' },
    { lang: 'fr' },
  ),
  fallback: often(2, 3),
  drafts: often(1, 5),
  space: fc.constantFrom('all' as const, '_parent' as const, 'shop' as const, 'shop-only key' as const),
});

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record(
  {
    unknownModel: fc.constantFrom('empty', 'error'),
    unknownField: fc.constantFrom('error', 'ignore'),
    tieOrder: fc.constantFrom('id', 'reverse', 'shuffled'),
    timeResolution: fc.constantFrom('second', 'ms'),
    unseenTarget: fc.constantFrom('empty', 'id'),
    emptyValues: fc.constantFrom('typed', 'null', 'omitted'),
    publishTouchesUpdatedAt: fc.boolean(),
    unpublishTouchesUpdatedAt: fc.boolean(),
    draftTouchesUpdatedAt: fc.boolean(),
    discardUpdatedAt: fc.constantFrom('restore', 'now', 'keep'),
    archiveTouchesUpdatedAt: fc.boolean(),
    restoreTouchesUpdatedAt: fc.boolean(),
    altTouchesUpdatedAt: fc.boolean(),
    mediaArchivePurges: fc.boolean(),
    purgeDelay: fc.constantFrom(0, 0, 0, 2000, 3000, 30_000),
    purgeReach: fc.constantFrom('all', 'some'),
    defectStatusFilter: fc.boolean(),
    wrongNeighbours: fc.boolean(),
    defectUntranslatedFilter: fc.boolean(),
  },
  { requiredKeys: [] },
);

const setup: fc.Arbitrary<Setup> = fc.record({
  start,
  sites: fc.oneof({ weight: 3, arbitrary: fc.tuple(site) }, { weight: 1, arbitrary: fc.tuple(site, site) }),
  assumptions: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: assumptions }),
  concurrency: fc.constantFrom(2 as const, 2 as const, 2 as const, 2 as const, 2 as const, 16 as const),
  bareHeaders: fc.boolean(),
  skew: fc.constantFrom(0, 0, 90_000, -90_000),
});

/** Random histories of a space and of the sites that are built from it. */
export const history: fc.Arbitrary<History> = fc.record({
  setup,
  steps: fc.array(steps, { minLength: 1, maxLength: 6, size: 'max' }).map((parts) => parts.flat()),
});
