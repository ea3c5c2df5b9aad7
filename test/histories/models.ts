import type { SeedFields } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';

/** The models of the service: every field type, and references in every place that can hold one. */
export const SERVICE_MODELS = {
  author: {
    name: field.text({ title: true }),
    body: field.flexibleText(),
    portrait: field.media(),
    mentor: field.reference('author'),
  },
  article: {
    title: field.text({ title: true }),
    lead: field.multiline(),
    body: field.flexibleText(),
    featured: field.boolean(),
    category: field.select(['news', 'event']),
    tags: field.multiSelect(),
    starts_at: field.datetime(),
    cover: field.media(),
    author: field.reference('author'),
    subject: field.reference(),
    occasion: field.reference('event'),
    related: field.repeat({ remark: field.text(), article: field.reference('article') }),
    sections: field.combination({
      quote: { words: field.multiline(), by: field.reference('author') },
      link: { to: field.reference() },
      hero: { image: field.media() },
    }),
    seo: field.fieldSet({ description: field.text(), editor: field.reference('author') }),
  },
  note: {
    title: field.text({ title: true }),
    body: field.flexibleText(),
    about: field.reference(),
    writers: field.repeat({ writer: field.reference(['author', 'note']) }),
  },
  event: {
    title: field.text({ title: true }),
    starts_at: field.datetime(),
    host: field.reference('author'),
    constructor: field.text(),
  },
  extra: { title: field.text({ title: true }), about: field.reference() },
} satisfies ModelMap;

export type ModelName = keyof typeof SERVICE_MODELS;
export const MODEL_NAMES = Object.keys(SERVICE_MODELS) as ModelName[];

/** What a site's own model map says of the service's models. */
export interface MapChoice {
  /** `article.author` and `article.seo` are declared. */
  readonly author: boolean;
  /** The untyped references `article.subject`, `note.about` and `extra.about` are declared. */
  readonly untyped: boolean;
  /** `article.related`, `article.sections` and `note.writers` are declared. */
  readonly nested: boolean;
  /** The models `event` and `extra` are declared. */
  readonly event: boolean;
  readonly extra: boolean;
  /** With another format than that of `article.body`, notes or authors are requested separately. */
  readonly noteFormat: 'html' | 'portable_html' | 'text';
  readonly authorFormat: 'html' | 'portable_html';
  /** The models are declared in the opposite order. */
  readonly reversed: boolean;
  /** Fields that must not be empty: entries without them are skipped, and so are those that must refer to these. */
  readonly required: readonly RequiredField[];
}

export const REQUIRED_FIELDS = [
  'author.name',
  'author.mentor',
  'article.title',
  'article.author',
  'article.related',
  'event.host',
] as const;
export type RequiredField = (typeof REQUIRED_FIELDS)[number];

/** The model map of a site. */
export function mapOf(choice: MapChoice): ModelMap {
  const { author, article, note, event, extra } = SERVICE_MODELS;
  const map: Record<string, ModelMap[string]> = {
    author: { ...author, body: field.flexibleText({ format: choice.authorFormat }) },
    article: without(article, [
      ...(choice.author ? [] : ['author', 'seo']),
      ...(choice.untyped ? [] : ['subject']),
      ...(choice.nested ? [] : ['related', 'sections']),
      ...(choice.event ? [] : ['occasion']),
    ]),
    note: without({ ...note, body: field.flexibleText({ format: choice.noteFormat }) }, [
      ...(choice.untyped ? [] : ['about']),
      ...(choice.nested ? [] : ['writers']),
    ]),
  };
  if (choice.event) map.event = event;
  if (choice.extra) map.extra = without(extra, choice.untyped ? [] : ['about']);
  for (const name of choice.required) requireField(map, name);
  return choice.reversed ? Object.fromEntries(Object.entries(map).reverse()) : map;
}

/** Of a list, the references in it. What the map does not declare is not required either. */
export function requireField(map: Record<string, ModelMap[string]>, name: RequiredField): void {
  const [model = '', luid = ''] = name.split('.');
  const declared = map[model]?.[luid];
  if (!declared) return;
  const required =
    declared.type === 'repeat'
      ? { ...declared, fields: { ...declared.fields, article: { type: 'reference', model, required: true } } }
      : { ...declared, required: true };
  map[model] = { ...map[model], [luid]: required } as ModelMap[string];
}

function without(fields: ModelMap[string], names: readonly string[]): ModelMap[string] {
  return Object.fromEntries(Object.entries(fields).filter(([luid]) => !names.includes(luid)));
}

/** The fields that may hold references. */
export const LINKS: readonly string[] = [
  'mentor',
  'author',
  'subject',
  'occasion',
  'related',
  'sections',
  'seo',
  'about',
  'writers',
  'host',
];

/** References to a target, in the slots of a model that may hold one of its kind: in all of them, or in one. */
export function linksTo(model: ModelName, target: number, kind: ModelName, slot?: number): SeedFields {
  const slots = slotsFor(model, target, kind);
  if (slot === undefined || slots.length === 0) return Object.assign({}, ...slots);
  return slots[slot % slots.length] as SeedFields;
}

function slotsFor(model: ModelName, id: number, kind: ModelName): SeedFields[] {
  const isAuthor = kind === 'author';
  if (model === 'author') return isAuthor ? [{ mentor: id }] : [];
  if (model === 'event') return isAuthor ? [{ host: id }] : [];
  if (model === 'extra') return [{ about: id }];
  if (model === 'note') {
    const writers = isAuthor || kind === 'note' ? [{ writers: [{}, { writer: id }] }] : [];
    return [{ about: id }, ...writers];
  }
  const link = { luid: 'link', fields: { to: id } };
  const quote = { luid: 'quote', fields: { words: 'quoted', by: id } };
  return [
    { subject: id },
    { sections: isAuthor ? [{ luid: 'hero', fields: { image: MEDIA[0] } }, quote, link] : [link] },
    ...(isAuthor ? [{ author: id }, { seo: { description: 'about', editor: id } }, { author: id }] : []),
    ...(kind === 'article' ? [{ related: [{ remark: 'see', article: id }, { remark: 'nothing' }] }] : []),
    ...(kind === 'event' ? [{ occasion: id }] : []),
  ];
}

export const MEDIA = [900_001, 900_002, 900_003] as const;

export const titleField = (model: ModelName) => (model === 'author' ? 'name' : 'title');
