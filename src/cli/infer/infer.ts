import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import type { Evidence, OperatorSupport } from './evidence.ts';
import { inferField } from './infer-field.ts';
import type { InferenceContext } from './inference-rule.ts';
import { commonFolder, commonOrigin } from './media-urls.ts';
import { type Address, type Group, type Observations, recordFields, type Sets } from './observations.ts';
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

export interface Inferred {
  readonly models: ModelMap;
  /** By place: `article.seo.description`, `article.sections.hero.image`. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The common URL of all media, if there are any. */
  readonly assetsUrl: string | undefined;
}

/** Infers a model map from the samples, with the evidence for each field. */
export function inferModels({ items, targets, operatorSupport }: Samples): Inferred {
  const { models, sets } = observeItems(items);
  const names = [...models.keys()].sort();
  const urls = mediaUrls([...models.values(), ...sets.values()]);
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

/** Records the fields of all items, by model, and by field set wherever it is used. */
export function observeItems(items: readonly WireContent[]): { models: Map<string, Group>; sets: Sets } {
  const models = new Map<string, Group>();
  const sets: Sets = new Map();
  for (const item of items) {
    const model = item._model;
    const group: Group = models.get(model) ?? new Map();
    models.set(model, group);
    const address = (luid: string): Address => ({ model, path: luid, inRepeat: false });
    recordFields(group, item, String(item._id), sets, address, SYSTEM_NAMES);
  }
  return { models, sets };
}

export function addressKey({ model, path }: Address): string {
  return `${model}.${path}`;
}

function mediaUrls(groups: readonly Group[]): string[] {
  const urls = new Set<string>();
  const visit = (seen: Observations) => {
    for (const url of seen.urls) urls.add(url);
    for (const inner of seen.entries.values()) visit(inner);
  };
  for (const group of groups) for (const seen of group.values()) visit(seen);
  return [...urls];
}
