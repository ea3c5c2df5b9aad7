import fc from 'fast-check';
import { HIGHEST } from './links.ts';
import { MODELS } from './start-space.ts';

/** Values as they are drawn: links and pictures by number, which become ids when the command is carried out. */
export interface DrawnValues {
  title?: string | null | undefined;
  flag?: boolean | null | undefined;
  link?: number | null | undefined;
  owner?: number | null | undefined;
  picture?: number | null | undefined;
  group?: { line?: string | undefined; link?: number | undefined } | null | undefined;
  rows?: { line?: string | undefined; picture?: number | undefined }[] | undefined;
}

export type Language = 'ja' | 'en' | 'fr';

export type KeyName = 'pub' | 'all';

/** §4.3: POST /contents. */
export interface Create {
  do: 'create';
  model: string;
  published: boolean;
  languages: Languages;
  key: KeyName;
}

/** §4.4 and §4.5: PUT and PATCH. */
export interface Write {
  do: 'replace' | 'patch';
  target: number;
  published: boolean;
  languages: Languages;
  key: KeyName;
}

/** §4.6. */
export interface Duplicate {
  do: 'duplicate';
  target: number;
  key: KeyName;
}

/** What editors do to an item, without requests. */
export type Edit =
  | { do: 'publish' | 'unpublish' | 'discardDraft' | 'archive' | 'restore'; target: number }
  | { do: 'edit' | 'saveDraft'; target: number; lang: Language; values: DrawnValues };

/** Something that is done to the space. Targets are numbers of what is there. */
export type Command =
  | Create
  | Write
  | Duplicate
  | Edit
  | { do: 'misname'; method: 'PUT' | 'PATCH'; target: number; languages: Languages }
  | { do: 'upload'; alt: string; lang: Language }
  | { do: 'deleteMedia' | 'archiveMedia' | 'restoreMedia'; target: number }
  | { do: 'wait'; ms: number };

export type Languages = { [L in Language]?: DrawnValues };

const text = fc.constantFrom('', 'a', 'b', '青');
/** Mostly one of the first two, so that an item goes through several states. */
const target = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 1 }) },
  { weight: 1, arbitrary: fc.nat({ max: HIGHEST }) },
);

const values: fc.Arbitrary<DrawnValues> = fc.record(
  {
    title: fc.option(text),
    flag: fc.option(fc.boolean()),
    link: fc.option(target),
    owner: fc.option(target),
    picture: fc.option(target),
    group: fc.option(fc.record({ line: text, link: target }, { requiredKeys: [] })),
    rows: fc.array(fc.record({ line: text, picture: target }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);
/** Few values at a time: each link may be a wrong one, and one wrong link refuses all. */
const fewValues = fc
  .tuple(values, fc.uniqueArray(fc.constantFrom(...Object.keys(MODELS.note ?? {})), { maxLength: 2 }))
  .map(([drawn, kept]): DrawnValues => pick(drawn, kept));

const languages: fc.Arbitrary<Languages> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom<Language>('ja', 'en', 'fr'), { minLength: 1 }),
    fc.array(fewValues, { minLength: 3, maxLength: 3 }),
  )
  .map(([given, drawn]) => Object.fromEntries(given.map((lang, index) => [lang, drawn[index] ?? {}])));

const key = fc.constantFrom('pub' as const, 'all' as const);
const published = fc.boolean();

/** Which command, and how often beside the others. */
export const randomCommand: fc.Arbitrary<Command> = fc.oneof(
  weighed(
    2,
    fc.record({ do: is('create'), model: fc.constantFrom('note', 'tag'), published, languages, key }),
  ),
  weighed(7, fc.record({ do: is('replace', 'patch', 'patch', 'patch'), target, published, languages, key })),
  weighed(1, fc.record({ do: is('misname'), method: fc.constantFrom('PUT', 'PATCH'), target, languages })),
  weighed(1, fc.record({ do: is('duplicate'), target, key })),
  weighed(
    3,
    fc.record({
      do: is('publish', 'unpublish', 'archive', 'restore', 'restore'),
      target,
    }),
  ),
  weighed(3, fc.record({ do: is('discardDraft'), target })),
  weighed(
    4,
    fc.record({
      do: is('edit', 'saveDraft'),
      target,
      lang: fc.constantFrom<Language>('ja', 'en', 'fr'),
      values: fewValues,
    }),
  ),
  weighed(1, fc.record({ do: is('upload'), alt: text, lang: fc.constantFrom<Language>('ja', 'en') })),
  weighed(1, fc.record({ do: is('deleteMedia', 'archiveMedia', 'restoreMedia'), target })),
  weighed(1, fc.record({ do: is('wait'), ms: fc.constantFrom(400, 61_000) })),
);

function weighed(weight: number, arbitrary: fc.Arbitrary<Command>): fc.WeightedArbitrary<Command> {
  return { weight, arbitrary };
}

function is<const T extends string>(...names: T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...names);
}

function pick(drawn: DrawnValues, kept: string[]): DrawnValues {
  return Object.fromEntries(Object.entries(drawn).filter(([luid]) => kept.includes(luid)));
}
