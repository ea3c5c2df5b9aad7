import type { WireContent } from '../../contract/content.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { declaredFields } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { entryId } from '../entry-id.ts';

/** The URLs that a site gives the content of one model. */
export interface RouteOptions {
  /**
   * The path of its pages, with one parameter for the id: `'/articles/[id]'`. `[lang]` stands for a language key,
   * `[...id]` for an id with slashes.
   */
  readonly route: string;
  /** Default: the model that the segment before the parameter names, `article` for `/articles/[id]`. */
  readonly model?: string | undefined;
  /** The field that the id is taken from. Default: `slug` if the model has it, else the content id. */
  readonly id?: string | undefined;
  /** The language that the pages show, if the path has no `[lang]`. Default: the main language. */
  readonly lang?: string | undefined;
}

export interface ContentRoute {
  readonly route: string;
  readonly model: string;
  /** `undefined`: the content id. */
  readonly id: string | undefined;
  /** The languages that it shows; `undefined` is the only one of a space without languages. */
  readonly langs: readonly (string | undefined)[];
}

interface Site {
  readonly models: ModelMap;
  readonly languages: { readonly main: string; readonly sub?: readonly string[] } | undefined;
}

const LANG = /\[(?:lang|locale)\]/;
const PARAMETER = /\[[^\]]*\]/g;

/** Throws if the options do not say which content the route shows. `place` is where they are. */
export function contentRoute(
  options: RouteOptions,
  { models, languages }: Site,
  place: string,
): ContentRoute {
  const { route, id, lang } = options;
  const fail = (problem: string, hint: string) => {
    throw new LuidConfigError(`${place}: ${problem}`, { hint });
  };
  const parameters = route.replace(LANG, '').match(PARAMETER) ?? [];
  if (!route.startsWith('/') || parameters.length !== 1) {
    fail(
      `the route ${showValue(route)} must begin with / and have one parameter besides [lang]`,
      "Write the path of its pages, such as '/articles/[id]'.",
    );
  }
  const model = options.model ?? modelOfRoute(route, models);
  const fields = declaredFields(models, model);
  if (model === undefined || !fields) {
    const known = `Set \`model\` to one of ${Object.keys(models).join(', ')}.`;
    return fail(`${showValue(route)} names no declared model${model ? ` ${showValue(model)}` : ''}`, known);
  }
  if (id !== undefined && !(Object.hasOwn(fields, id) && fieldTypeOf(fields[id] as FieldBase).usableAsId)) {
    fail(`${model} has no text field ${showValue(id)}`, 'Set `id` to the field that the loader uses.');
  }
  const all: (string | undefined)[] = languages ? [languages.main, ...(languages.sub ?? [])] : [undefined];
  if (lang !== undefined && !all.includes(lang)) {
    fail(`unknown language ${showValue(lang)}`, `The space declares ${all.join(', ') || 'none'}.`);
  }
  const langs = LANG.test(route) ? all : [lang ?? languages?.main];
  return { route: route.replace(/(?<=.)\/$/, ''), model, id: id ?? slugField(models, model), langs };
}

/** The field `slug` of a model, which most sites take ids from. */
export function slugField(models: ModelMap, model: string): string | undefined {
  const field = declaredFields(models, model)?.slug;
  return field && fieldTypeOf(field).usableAsId ? 'slug' : undefined;
}

/** The model that the segment before the parameter names: `article` for `/articles/[id]`. */
export function modelOfRoute(route: string, models: ModelMap): string | undefined {
  const segments = route.replace(LANG, '').split('/').filter(Boolean);
  const name = (segments.at(segments.findIndex((segment) => segment.startsWith('[')) - 1) ?? '').replaceAll(
    '-',
    '_',
  );
  const names = [name, name.replace(/ies$/, 'y'), name.replace(/es$/, ''), name.replace(/s$/, '')];
  return names.find((one) => Object.hasOwn(models, one));
}

/** The path of an item, as people read it; `undefined` if the route has none for it. */
export function pathOfItem(
  { route, id }: ContentRoute,
  item: WireContent,
  lang: string | undefined,
): string | undefined {
  const entry = entryId(item, id);
  if ('problem' in entry || /[?#%[\]]/.test(entry.id)) return undefined;
  if (entry.id.includes('/') && !route.includes('[...')) return undefined;
  return route
    .replace(LANG, lang ?? '')
    .replace(PARAMETER, () => entry.id)
    .normalize();
}

/** What paths of a route look like. Also for patterns of pages: `/[year]/[...rest]`. */
export function routePattern(route: string): RegExp {
  const source = route.split(/(\/?\[[^\]]*\])/).map((part) => {
    if (!part.endsWith(']')) return part.replaceAll(/[.*+?^${}()|\\]/g, '\\$&');
    const slash = part.startsWith('/') ? '/' : '';
    return part.includes('[...') ? `(?:${slash}.*)?` : `${slash}[^/]+`;
  });
  return new RegExp(`^${source.join('') || '/'}$`);
}
