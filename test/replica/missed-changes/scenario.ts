import { createStorage } from 'unstorage';
import type { Emulator, EmulatorOptions, SeedContent } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { type Content, notes, openSite, published, serve, shown } from '../loader-site.ts';

export type Edit = (service: Emulator) => void;

/** A service, the options of a site, and what happened before its first build. */
export interface Scenario {
  readonly contents?: readonly Content[];
  readonly service?: EmulatorOptions & { models?: ModelMap; spaces?: readonly string[] };
  /** Of the site. Default: those of the service. */
  readonly models?: ModelMap;
  /** Options of the space. */
  readonly space?: object;
  /** Options of each collection. */
  readonly collection?: object;
  /** Default: both. */
  readonly languages?: 'main only';
  readonly before?: Edit;
}

export const TITLE = { title: field.text({ title: true }) };
export const MODELS = {
  author: { name: field.text({ title: true }), alias: field.text() },
  article: {
    ...TITLE,
    lead: field.text(),
    category: field.select(['news', 'topic']),
    cover: field.media(),
    author: field.reference('author'),
    seo: field.fieldSet({ description: field.text(), keyword: field.text() }),
    blocks: field.combination({ quote: { text: field.text() }, hero: { image: field.media() } }),
  },
  note: TITLE,
} satisfies ModelMap;
/** With a field that refers to content of any model, and two models that sites may leave out. */
export const UNTYPED = { ...MODELS, article: { ...TITLE, any: field.reference() }, old: TITLE, other: TITLE };
const { other: _, ...withoutOther } = UNTYPED;
export const UNTYPED_WITHOUT_OTHER: ModelMap = withoutOther;

export const [MORI, BERG, ITO] = [1, 2, 3];
export const COVER = 900;

export const inBoth = (model: string, id: number, ja: object, en = ja) => published(model, id, ja, { en });

function article(id: number): Content {
  const values = {
    title: `article ${id}`,
    lead: 'lead',
    category: 'news',
    author: MORI,
    cover: COVER,
    seo: { description: 'description', keyword: 'keyword' },
    blocks: [
      { luid: 'quote', fields: { text: 'quote' } },
      { luid: 'hero', fields: { image: COVER } },
    ],
  };
  return inBoth('article', id, values, { ...values, title: `article ${id} in English` });
}

/** More than fits in one request, and newer than everything else: the newest 100 items are notes. */
export const NEWER = notes(130);
const CONTENTS: readonly Content[] = [
  ...[MORI, BERG, ITO].map((id) => inBoth('author', id, { name: `${id}`, alias: `alias ${id}` })),
  ...[11, 12, 13].map(article),
  ...NEWER,
];

/** The service of a scenario, and sites that are built with each model in both languages. */
export function open({ contents = CONTENTS, service: options, before, ...scenario }: Scenario) {
  const media = [{ id: COVER, file: 'cover.jpg', alt: { ja: 'before' } }];
  const service = serve(contents, { models: MODELS, media, ...options });
  before?.(service);
  const models: ModelMap = scenario.models ?? options?.models ?? MODELS;
  const collections = Object.fromEntries(
    Object.keys(models).flatMap((model) => [
      [model, { model, ...scenario.collection }],
      ...(scenario.languages ? [] : [[`${model}-en`, { model, lang: 'en', ...scenario.collection }]]),
    ]),
  );

  /** A new site. With one request at once, no space of this size is read in one round. */
  function createSite({ concurrency = 1, ...others }: { concurrency?: number; verify?: 'always' } = {}) {
    const site = openSite(service);
    // In memory, for speed.
    const cache = { storage: createStorage() };
    return async (more: object = {}): Promise<ReadonlyMap<string, unknown>> => {
      const space = { models, cache, ...scenario.space, network: { concurrency }, ...others, ...more };
      const built = await site.build(collections, space);
      const entries = Object.entries(built).flatMap(([name, found]) =>
        Object.entries(shown(found)).map(([id, data]) => [`${name}/${id}`, data] as const),
      );
      return new Map(entries);
    };
  }

  return { service, createSite, buildAnew: () => createSite({ verify: 'always' })() };
}

/** The entries that are not the same in two builds, or exist in one only. */
export function differences(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name))).sort();
}

/** The entries of the authors, or articles, with these ids in both languages. */
export function entriesOf(model: string, ...ids: number[]): string[] {
  return [...ids.map((id) => `${model}/${id}`), ...ids.map((id) => `${model}-en/${id}`)];
}

export type Published = Readonly<Record<'ja' | 'en', Readonly<Record<string, unknown>>>>;

/** Changes content, but none of its times, unless the change does. */
export function changeSilently(
  { contents }: Emulator,
  id: number,
  change: (values: Published) => object,
): void {
  const before = contents.get(id);
  contents.remove(id);
  contents.create({ ...before, ...change(before.published as Published) } as SeedContent);
}

/** Changes the models of the service. */
export function changeFields(model: string, change: (fields: Record<string, unknown>) => void): Edit {
  return (service) => {
    const models = service.models.get();
    change(models[model] as Record<string, unknown>);
    service.models.set(models);
  };
}
