import type { WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import { CLI_FIELD_TYPES } from '../field-types/index.ts';
import type { InferenceContext, InferredField, OperatorSupport } from './inference-rule.ts';
import { addressKey, fieldsSeen, type Group, type Observations, observeItems } from './observations.ts';
import type { Shape } from './shapes.ts';
import { titlesOf, withTitle } from './title.ts';

/** What a model map is inferred from. */
export interface Samples {
  /** Content at depth 0, in any language. The same item may occur several times. */
  readonly items: readonly WireContent[];
  /** Models of content ids, for references. */
  readonly targets: ReadonlyMap<number, string>;
  /** The filter operators that the service supports, by `addressKey`. */
  readonly operatorSupport?: ReadonlyMap<string, OperatorSupport> | undefined;
}

/** The evidence for an inferred field, written as a comment of the field. */
export interface Evidence extends Omit<InferredField, 'field'> {
  /** Number of places where it has a value, and of all places where it occurs. */
  readonly filled: number;
  readonly of: number;
}

export interface Inferred {
  readonly models: ModelMap;
  /** By place: `article.seo.description`, `article.sections.hero.image`. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The common URL of all media, if there are any. */
  readonly assetsUrl: string | undefined;
}

/** Infers a model map from the samples, with the evidence for each field. */
export function inferModels({ items, targets, operatorSupport }: Samples): Inferred {
  const observed = observeItems(items);
  const { models, sets } = observed;
  const names = [...models.keys()].sort();
  const urls = [...new Set([...fieldsSeen(observed)].flatMap((seen) => [...seen.urls]))];
  const assetsOrigin = commonOrigin(urls);
  const evidence = new Map<string, Evidence>();
  const known = new Map([...targets, ...items.map(({ _id, _model }) => [_id, _model] as const)]);
  const inferredModels: Record<string, FieldsBase> = {};
  /** The field sets that are being inferred: a field set cannot contain itself, whatever its fields are called. */
  const open = new Set<string>();

  const context = (place: string, isTitle: boolean): InferenceContext => ({
    modelOf: (id) => known.get(id),
    models: names,
    operatorSupportOf: ({ address }) => address && operatorSupport?.get(addressKey(address)),
    isTitle,
    assetsOrigin,
    group: (group) => inferGroup(group, place),
    set: (luid, below = '') => inferSet(luid, `${place}${below}`),
  });

  // All uses of a field set share their observations, so each infers the same definition.
  function inferSet(luid: string, place: string): FieldsBase {
    if (open.has(luid)) return {};
    open.add(luid);
    const fields = inferGroup(sets.get(luid) ?? new Map(), place);
    open.delete(luid);
    return fields;
  }

  function inferGroup(group: Group, place: string, title?: string): FieldsBase {
    const fields: Record<string, Field> = {};
    for (const [luid, seen] of group) {
      const path = `${place}.${luid}`;
      const { field, ...inferred } = inferField(seen, context(path, luid === title));
      evidence.set(path, { filled: seen.filled.size, of: seen.places.size, ...inferred });
      setOwn(fields, luid, field);
    }
    return fields;
  }

  for (const name of names) {
    const group = models.get(name) ?? new Map();
    const [title, ...others] = titlesOf(items.filter(({ _model }) => _model === name));
    const fields = inferGroup(group, name, title);
    const found = evidence.get(`${name}.${title}`);
    if (found && others.length > 0) {
      evidence.set(`${name}.${title}`, { ...found, doubt: `_title may also come from ${others.join(', ')}` });
    }
    if (Object.keys(fields).length > 0) setOwn(inferredModels, name, withTitle(fields, title));
  }
  return { models: inferredModels as ModelMap, evidence, assetsUrl: commonFolder(urls) };
}

/** The most frequent origin of the URLs. */
function commonOrigin(urls: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(urls, (url) => new URL(url).origin)];
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/**
 * The longest path prefix of all URLs of the common origin, without a trailing slash. If all URLs are in one
 * folder, only the origin: other media may be in other folders.
 */
function commonFolder(urls: readonly string[]): string | undefined {
  const origin = commonOrigin(urls);
  if (!origin) return undefined;
  const paths = urls.map((url) => new URL(url)).filter((url) => url.origin === origin);
  const folders = paths.map(({ pathname }) => pathname.split('/').slice(0, -1));
  const [first = [], ...others] = folders;
  if (new Set(folders.map((folder) => folder.join('/'))).size < 2) return origin;
  let length = 0;
  while (length < first.length && others.every((folder) => folder[length] === first[length])) length += 1;
  return `${origin}${first.slice(0, length).join('/')}`;
}

/** Infers a field from everything observed about it. */
function inferField(seen: Observations, context: InferenceContext): InferredField {
  const shapes = [...seen.shapes.keys()];
  const [shape] = shapes;
  if (!shape) return { field: { type: 'unknown' }, note: alwaysEmpty(seen) };
  if (shapes.length === 1) return applyRules(shape, seen, context);
  if (shapes.every((one) => one === 'list of blocks' || one === 'list of groups')) {
    const inferred = applyRules('list of groups', seen, context);
    return { ...inferred, doubt: 'some entries look like blocks of a combination' };
  }
  const counts = [...seen.shapes].map(([one, places]) => `${one} in ${places.size}`);
  return { field: { type: 'unknown' }, doubt: `values of several shapes: ${counts.join(', ')}` };
}

function applyRules(shape: Shape, seen: Observations, context: InferenceContext): InferredField {
  const types = Object.values(CLI_FIELD_TYPES).filter((type) => type.shape === shape);
  for (const { infer } of types.flatMap(({ rules }) => rules).sort((a, b) => a.rank - b.rank)) {
    const inferred = infer(seen, context);
    if (inferred) return inferred;
  }
  return { field: { type: 'unknown' } };
}

const HINTS: Record<string, string> = {
  '[]': 'a repeat, a combination or a multi select',
  '""': 'a text, perhaps',
};

function alwaysEmpty({ empties }: Observations): string {
  const [empty = ''] = empties;
  const hint = empties.size === 1 ? HINTS[empty] : undefined;
  return hint ? `always empty: ${hint}` : 'always empty';
}
