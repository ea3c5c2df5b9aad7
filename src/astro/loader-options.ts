import type * as astro from 'astro/zod';
import type { Order, Where } from '../client/query-types.ts';
import type { CollectionRule, Neighbour } from '../entries/collection.ts';
import type { EntryIdRule } from '../entries/entry-id.ts';
import { type Conditions, compileFilter } from '../entries/filter.ts';
import { compileOrder } from '../entries/order.ts';
import { LuidConfigError } from '../errors.ts';
import { checkDepth, type ModelSchema } from '../models/schema.ts';
import type { Content, Depth, Fields, ModelMap } from '../models/types.ts';
import type { Settings } from './settings.ts';

type KeysOfType<F extends Fields, T extends string> = {
  [K in keyof F]: F[K] extends { readonly type: T } ? K : never;
}[keyof F] &
  string;

/** Reference field → the collection that it leads into. */
type ReferencesOf<M extends ModelMap, N extends keyof M> = {
  readonly [K in KeysOfType<M[N], 'reference'>]?: string;
};

/** What `space.loader(model, …)` takes. */
export interface LoaderOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  D extends Depth = Depth,
  R = unknown,
  L extends string = string,
  B = unknown,
> {
  /** How many references in are content, from 0 to 10; further in they are ids. Default 1. */
  readonly depth?: D;
  /** What entries are called: a field, or a function. Default: the content id. */
  readonly id?: (keyof M[N] & string) | '_id' | ((item: Content<M, N, 0, string>) => string | number);
  /** The flexible text that `render(entry)` renders. */
  readonly body?: KeysOfType<M[N], 'flexible_text'>;
  /** One language. Default: the main one. */
  readonly lang?: string;
  /** Several languages: entries are called `ja/…` and `en/…` and say which in `data._lang`. */
  readonly langs?: readonly L[];
  /** Fill what a sub-language lacks with main-language data, marked by `data._fallback`. */
  readonly fallback?: boolean;
  /** Only entries that match, evaluated on the replica with the service's meaning of each operator. */
  readonly where?: Where<M, N>;
  /** References that become Astro's `{ collection, id }`, with the id that the other loader gives. */
  readonly references?: R & ReferencesOf<M, N>;
  /** Adds `data._prev` and `data._next`, in this order of the collection. */
  readonly neighbours?: B & { readonly order: Order<M, N> | readonly Order<M, N>[] };
  /** Load drafts too, with the key for drafts. */
  readonly drafts?: boolean;
}

/** The data of an entry: the item's, and what the options add to it. */
type LoadedData<M extends ModelMap, N extends keyof M & string, D extends Depth, R, L, B> = Omit<
  Content<M, N, D>,
  keyof R | (unknown extends B ? never : '_prev' | '_next') | ([L] extends [never] ? never : '_langs')
> & { [K in keyof R]: { collection: R[K]; id: string } | null } & (unknown extends B
    ? unknown
    : { _prev: Neighbour | null; _next: Neighbour | null }) &
  ([L] extends [never]
    ? unknown
    : { _lang: L; _fallback: boolean; _langs: { current: string; available: string[] } });

/** Options that change no types leave the zod object of the model as it is. */
export type LoadedSchema<M extends ModelMap, N extends keyof M & string, D extends Depth, R, L, B> = [
  keyof R,
  L,
  unknown,
] extends [never, never, B]
  ? ModelSchema<M, N, D>
  : astro.ZodType<LoadedData<M, N, D, R, L, B>>;

/** Options that have been checked, in the form in which loading uses them. */
export interface LoaderPlan {
  readonly model: string;
  readonly depth: Depth;
  readonly rule: CollectionRule;
  readonly body: { readonly luid: string; readonly isMarkdown: boolean } | undefined;
  readonly lang: string | undefined;
  readonly langs: readonly string[] | undefined;
  readonly fallback: boolean;
  readonly order: ReturnType<typeof compileOrder> | undefined;
  readonly references: Readonly<Record<string, string>>;
  readonly drafts: boolean;
  /** Equal for options that mean the same. */
  readonly stamp: string;
}

/** Refuses options that cannot work, at definition time. */
export function planLoader(
  models: ModelMap,
  settings: Settings,
  model: string,
  options: LoaderOptions,
): LoaderPlan {
  const place = `loader(${JSON.stringify(model)})`;
  const {
    depth = 1,
    id,
    body,
    lang,
    langs,
    fallback = false,
    where = {},
    neighbours,
    drafts = false,
  } = options;
  checkDepth(depth, place);
  const fields = Object.hasOwn(models, model) ? models[model] : undefined;
  if (!fields) {
    throw new LuidConfigError(`${place}: no such model is declared`, {
      model,
      hint: `Use one of ${Object.keys(models).join(', ')}, or declare it in \`models\`.`,
    });
  }
  if (typeof id === 'string' && !id.startsWith('_')) checkField(place, fields, 'id', id);
  if (body !== undefined) checkField(place, fields, 'body', body, 'flexible_text');
  const format = body && (fields[body] as { format?: string }).format;
  if (format === 'text') {
    throw new LuidConfigError(`${place}: the body ${body} is read as text, which cannot be rendered`, {
      field: body,
      hint: 'Give the field the format html or markdown.',
    });
  }
  const references = (options.references ?? {}) as Record<string, string>;
  for (const luid of Object.keys(references)) checkField(place, fields, 'references', luid, 'reference');
  checkLanguages(place, settings, lang, langs);
  const order = (neighbours as { order?: string | readonly string[] } | undefined)?.order;
  return {
    model,
    depth,
    rule: { model, id: id as EntryIdRule, filter: compileFilter(models, model, where as Conditions), langs },
    body: body === undefined ? undefined : { luid: body, isMarkdown: format === 'markdown' },
    lang,
    langs,
    fallback,
    order: order === undefined ? undefined : compileOrder(models, model, order),
    references,
    drafts,
    stamp: JSON.stringify([depth, String(id), body, lang, langs, fallback, where, order, references, drafts]),
  };
}

function checkField(place: string, fields: Fields, option: string, luid: string, type?: string): void {
  const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  if (field && (type === undefined || field.type === type)) return;
  const possible = Object.entries(fields).filter(([, other]) => type === undefined || other.type === type);
  throw new LuidConfigError(
    `${place}: ${option} names ${JSON.stringify(luid)}, which is no ${type === undefined ? '' : `${type} `}field of the model`,
    {
      field: luid,
      hint: `Use one of ${possible.map(([name]) => name).join(', ') || 'none: there is none'}.`,
    },
  );
}

function checkLanguages(
  place: string,
  { languages }: Settings,
  lang?: string,
  langs?: readonly string[],
): void {
  const asked = [...(lang === undefined ? [] : [lang]), ...(langs ?? [])];
  if (asked.length === 0) return;
  if (lang !== undefined && langs) {
    throw new LuidConfigError(`${place}: lang and langs are both given`, { hint: 'Give one of them.' });
  }
  const known = languages ? [languages.main, ...(languages.sub ?? [])] : [];
  const unknown = asked.find((key) => !known.includes(key));
  if (unknown === undefined && new Set(asked).size === asked.length) return;
  throw new LuidConfigError(
    unknown === undefined
      ? `${place}: langs names a language twice`
      : `${place}: there is no language ${JSON.stringify(unknown)}`,
    { hint: `Declare it in defineSpace({ languages }), which has ${known.join(', ') || 'none'}.` },
  );
}
