import { type Assumptions, createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { defineSpace } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import {
  LINKS,
  linksTo,
  MEDIA,
  MODEL_NAMES,
  type ModelName,
  REQUIRED_FIELDS,
  type RequiredField,
  requireField,
  SERVICE_MODELS,
  titleField,
} from '../histories/models.ts';
import { LANGUAGES, seedOf } from '../histories/seed.ts';
import type { SeededRandom } from './seeded-random.ts';

type Options = Record<string, unknown>;
/** The options of the loaders of a site, by collection. */
export type Collections = Record<string, { readonly model: ModelName } & Options>;

/** A service with random references between its content. */
export function createService(random: SeededRandom): Emulator {
  // With more than 100, not everything is among the newest, and a sync does not read everything.
  const size = [12, 60, 130, 250][random(4)] as number;
  const seed = seedOf({
    size,
    perSecond: 1 + random(3),
    subSpaces: false,
    draftEvery: 5,
    onlyEnglishEvery: 20 + random(5),
  });
  const origin = `http://incremental-${Math.random()}.test`;
  const service = createEmulator(seed, { origin, rateLimit: false });
  service.clock.set(Date.UTC(2026, 0, 2));
  // More references than the seed has, in all places.
  for (let n = size / 6; n > 0; n--) link(service, random);
  for (let n = 20 + size / 6; n > 0; n--) refer(service, random);
  for (const [luid, model] of [
    ['mentor', 'author'],
    ['author', 'article'],
  ] as const) {
    for (let n = 0; n < 4; n++) {
      const [from, to] = [idOf(service, random, model), idOf(service, random, 'author')];
      attempt(() => service.contents.edit(from, { [luid]: to }));
    }
  }
  if (random(2) === 0) service.assumptions = chooseAssumptions(random);
  return service;
}

/** What a service may do otherwise without hiding a change: those that do are for the histories. */
function chooseAssumptions(random: SeededRandom): Partial<Assumptions> {
  const pick = <T>(...values: T[]) => values[random(values.length)] as T;
  return {
    unknownModel: pick('empty', 'error'),
    unknownField: pick('error', 'ignore'),
    tieOrder: pick('id', 'reverse', 'shuffled'),
    timeResolution: pick('second', 'ms'),
    unseenTarget: pick('empty', 'id'),
    emptyValues: pick('typed', 'null', 'omitted'),
    wrongNeighbours: pick(false, true),
    defectStatusFilter: pick(false, true),
    defectUntranslatedFilter: pick(false, true),
  };
}

/** A space of such a service, on the service's own clock. One model stays undeclared. */
export function openSpace(
  service: Emulator,
  {
    network,
    required = [],
    ...options
  }: { readonly network?: object; readonly required?: readonly RequiredField[] } & Record<string, unknown>,
) {
  const { extra: _, ...declared } = SERVICE_MODELS;
  const models: Record<string, ModelMap[string]> = { ...declared };
  for (const name of required) requireField(models, name);
  const space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    draftApiKey: 'drafts',
    languages: LANGUAGES,
    models,
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, ...network },
    fetch: service.fetch,
    clock: { now: () => service.clock.now(), sleep: () => new Promise<void>(() => {}) },
    ...options,
  } as never);
  return space;
}

/** Fields that the models of a site require, often none: most content of the service has no references. */
export function chooseRequired(random: SeededRandom): RequiredField[] {
  const count = [0, 0, 1, 1, 2][random(5)] as number;
  return Array.from(
    { length: count },
    () => REQUIRED_FIELDS[random(REQUIRED_FIELDS.length)] as RequiredField,
  );
}

/** Random options for the loaders of a site. */
export function chooseCollections(random: SeededRandom): Collections {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const several = [
    { langs: ['ja', 'en'], fallback: true },
    { langs: ['en', 'fr'] },
    { langs: ['fr', 'ja'], fallback: true },
  ];
  const english = [{ lang: 'en' }, { lang: 'en', fallback: true }];
  const languages: Record<string, unknown> = pick([{}, {}, ...english, ...several]);
  const isMainOnly = Object.keys(languages).length === 0;
  // References may lead to collections with other languages.
  const ofAuthors = pick([languages, languages, {}, ...several, ...(isMainOnly ? [] : english)]);
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
    ...chooseBacklinks(random, 'author'),
    ...ofAuthors,
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
    ...chooseBacklinks(random, 'article'),
    ...languages,
  };
  const note = {
    model: 'note' as const,
    depth: random(3),
    ...pick([{}, languages]),
    ...pick([{}, { fields: ['about'] }]),
    ...chooseBacklinks(random, 'note'),
  };
  return { authors: author, articles: article, ...(random(2) === 0 && { notes: note }) };
}

/** Fields that refer to a model, of every kind. */
const REFERRING = {
  author: [
    { from: 'article', by: 'author' },
    { from: 'article', by: 'subject' },
    { from: 'article', by: 'sections.quote.by' },
    { from: 'article', by: 'seo.editor' },
    { from: 'author', by: 'mentor' },
    { from: 'note', by: 'writers.writer' },
    { from: 'event', by: 'host' },
  ],
  article: [
    { from: 'article', by: 'related.article' },
    { from: 'article', by: 'sections.link.to' },
    { from: 'article', by: 'subject' },
    { from: 'note', by: 'about' },
  ],
  note: [
    { from: 'note', by: 'about' },
    { from: 'note', by: 'writers.writer' },
  ],
} as const;

/** No lists of backlinks, one or two. */
export function chooseBacklinks(random: SeededRandom, model: keyof typeof REFERRING): Options {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const choose = () => {
    const { from, by } = pick<{ from: ModelName; by: string }>(REFERRING[model]);
    const title = titleField(from);
    return {
      from,
      by,
      ...pick([
        {},
        {},
        { where: { [title]: { contains: '1' } } },
        ...(from === 'article'
          ? [
              { where: { featured: { eq: true } } },
              { where: { 'author.name': { contains: 'item' } } },
              { where: { 'subject._title': { contains: '1' } } },
            ]
          : []),
      ]),
      // Many items have equal values, so that their ids decide.
      ...pick([
        {},
        { order: title },
        { order: from === 'article' ? ['category', '-_updated_at'] : '-_status' },
      ]),
      ...pick([{}, {}, { limit: 1 + random(3) }]),
      ...pick([{}, {}, { depth: random(3) }]),
    };
  };
  const lists = pick<readonly string[]>([[], [], ['listed'], ['listed', 'more']]);
  return lists.length === 0 ? {} : { backlinks: Object.fromEntries(lists.map((name) => [name, choose()])) };
}

/** Makes a random change and returns its description. A change that is not possible is skipped. */
export function edit(service: Emulator, random: SeededRandom): string {
  const { contents, media } = service;
  const id = 1 + random(random(2) === 0 ? 9 : 60);
  const text = `edit ${random(1000)} ${random(2) === 0 ? 'item' : '1'}`;
  const model = modelOf(contents, id);
  const field = model ? titleField(model) : 'title';
  const actions: Record<string, () => void> = {
    rename: () => contents.edit(id, { [field]: text }),
    'rename in English': () => contents.edit(id, { [field]: text }, { lang: 'en' }),
    link: () => link(service, random),
    refer: () => refer(service, random),
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
      // An alt text changes no item, so a sync finds it with the next item that is read.
      contents.edit(idOf(service, random, 'article'), { cover });
    },
    'take a title': () => {
      const { published } = contents.get(idOf(service, random, 'article'));
      contents.edit(idOf(service, random, 'article'), { title: published?.ja?.title ?? text });
    },
    'remove a title': () => contents.edit(id, { [field]: '' }, random(4) === 0 ? { lang: 'en' } : {}),
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

/** Lets an item refer to one of the first of a model, at the path of a field that backlinks can be found by. */
export function refer(
  service: Emulator,
  random: SeededRandom,
  model: keyof typeof REFERRING = (['author', 'article', 'note'] as const)[random(3)] as 'author',
  list?: { readonly from: ModelName; readonly by: string },
): void {
  const rules: readonly { readonly from: ModelName; readonly by: string }[] = REFERRING[model];
  const { from, by } = list ?? (rules[random(rules.length)] as (typeof rules)[number]);
  const [luid = '', ...rest] = by.split('.');
  const targets = [1, 2, 3].map(() => idOf(service, random, model, 12));
  const { type } = (SERVICE_MODELS[from] as Record<string, { type: string }>)[luid] ?? {};
  const groups = targets.slice(0, 1 + random(2)).map((id) => ({ [rest.at(-1) ?? '']: id }));
  const value =
    type === 'repeat'
      ? groups
      : type === 'combination'
        ? groups.map((fields) => ({ luid: rest[0], fields }))
        : type === 'field_set'
          ? groups[0]
          : targets[0];
  const referrer = idOf(service, random, from);
  attempt(() =>
    service.contents.edit(referrer, { [luid]: value } as never, random(4) === 0 ? { lang: 'en' } : {}),
  );
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
function idOf({ contents }: Emulator, random: SeededRandom, model: ModelName, last = 40): number {
  const ids = Array.from({ length: last }, (_, n) => n + 1).filter((id) => modelOf(contents, id) === model);
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
