import fc from 'fast-check';
import type { Fields } from '../../../src/models/types.ts';
import {
  definitionsOf,
  IDS,
  MEDIA_IDS,
  MIXED,
  MODEL_FIELDS,
  type RandomField,
  valuesOf,
} from './random-fields.ts';
import type { Seed, SeedContent, Values } from './reference-seed.ts';

export const MODELS = ['alpha', 'beta', 'constructor'];
export const LANGUAGES = { main: 'ja', sub: ['en', 'fr'] };
export const SPACES = ['_parent', 'shop', 'lab'];
export const KEYS: Seed['keys'] = [
  { key: 'pub', reads: 'published' },
  { key: 'all', reads: 'drafts' },
  { key: 'shop', reads: 'published', spaces: ['shop'] },
  { key: 'both', reads: 'drafts', spaces: ['_parent', 'lab'] },
];

/** Few moments, some equal but for their spelling or for a part of a second: times must tie. */
const time = fc.constantFrom(
  '2025-01-01T00:00:00Z',
  '2025-06-25T23:59:59Z',
  '2025-06-26T00:00:00Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T09:00:00+09:00',
  '2026-01-01T00:00:00.700Z',
  '2026-01-02T00:00:00Z',
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 7);

/** The fields of a model: all but a few, and `mixed` in one of its types, or not at all. */
const modelFields = fc
  .record({ lacking: fc.subarray(MODEL_FIELDS, { maxLength: 5 }), mixed: maybe(fc.constantFrom(...MIXED)) })
  .map(({ lacking, mixed }): RandomField[] => [
    ...MODEL_FIELDS.filter((field) => !lacking.includes(field)),
    ...(mixed ? [mixed] : []),
  ]);

/** Data in some of the languages, in one at least. */
function languages(fields: RandomField[]): fc.Arbitrary<Record<string, Values>> {
  const values = valuesOf(fields);
  return fc
    .record({ ja: values, en: maybe(values), fr: maybe(values), withoutMain: rarely })
    .map(({ ja, en, fr, withoutMain }) => ({
      ...(withoutMain && (en || fr) ? {} : { ja }),
      ...(en && { en }),
      ...(fr && { fr }),
    }));
}

function content(id: number, model: string, fields: RandomField[]): fc.Arbitrary<SeedContent> {
  return fc
    .record({
      space: fc.constantFrom('_parent', ...SPACES),
      archived: rarely,
      times: fc.tuple(time, time, time, time),
      state: fc.constantFrom('draft', 'published', 'published_draft', 'published'),
      oncePublished: rarely,
      published: languages(fields),
      draft: languages(fields),
    })
    .map(({ space, archived, times, state, oncePublished, published, draft }) => {
      const everPublished = state !== 'draft' || oncePublished;
      return {
        id,
        model,
        space,
        archived,
        created_at: times[0],
        updated_at: times[1],
        published_at: everPublished ? times[2] : null,
        last_published_at: everPublished ? times[3] : null,
        ...(state !== 'draft' && { published }),
        ...(state !== 'published' && { draft }),
      };
    });
}

const media: fc.Arbitrary<Seed['media']> = fc
  .tuple(
    ...MEDIA_IDS.map(() =>
      fc.record({ archived: rarely, ja: maybe(fc.constant('絵')), en: maybe(fc.constant('art')) }),
    ),
  )
  .map((all) =>
    all.map(({ archived, ja, en }, index) => ({
      id: MEDIA_IDS[index] as number,
      file: `${index}.png`,
      alt: { ...(ja && { ja }), ...(en && { en }) },
      archived,
    })),
  );

/** A space of up to three models and eight items, which refer to each other in every way. */
export const randomSeed: fc.Arbitrary<Seed> = fc
  .record({
    fields: fc.array(modelFields, { minLength: 3, maxLength: 3 }),
    ids: fc.oneof(
      { arbitrary: fc.shuffledSubarray(IDS, { minLength: 6 }), weight: 9 },
      { arbitrary: fc.shuffledSubarray(IDS), weight: 1 },
    ),
    modelOf: fc.array(fc.nat({ max: 2 }), { minLength: IDS.length, maxLength: IDS.length }),
    subSpaces: rarely.map((off) => !off),
  })
  .chain(({ fields, ids, modelOf, subSpaces }) => {
    const modelIndex = (id: number) => modelOf[id - 1] as number;
    const contents = ids.map((id) =>
      content(id, MODELS[modelIndex(id)] as string, fields[modelIndex(id)] as RandomField[]),
    );
    const models = Object.fromEntries(
      MODELS.map((model, index) => [model, definitionsOf(fields[index] ?? [])]),
    );
    return fc.tuple(media, ...contents).map(([media, ...contents]) => ({
      languages: LANGUAGES,
      ...(subSpaces && { spaces: SPACES }),
      keys: subSpaces ? KEYS : KEYS.map(({ key, reads }) => ({ key, reads })),
      models: models as Record<string, Fields>,
      media,
      contents: contents.map((content) => ({
        ...onlyAllowedTargets(content, modelIndex),
        ...(!subSpaces && { space: '_parent' }),
      })),
    }));
  });

/** `o` may refer to the model `alpha` only; a seed that has it refer elsewhere would be wrong. */
function onlyAllowedTargets(content: SeedContent, modelIndex: (id: number) => number): SeedContent {
  const corrected = (data: Record<string, Values> | undefined) =>
    data &&
    Object.fromEntries(
      Object.entries(data).map(([lang, { o, ...values }]) => [
        lang,
        typeof o === 'number' && modelIndex(o) === 0 ? { ...values, o } : values,
      ]),
    );
  const published = corrected(content.published);
  const draft = corrected(content.draft);
  return { ...content, ...(published && { published }), ...(draft && { draft }) };
}
