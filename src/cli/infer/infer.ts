import type { WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import { inferField } from './infer-field.ts';
import type { InferenceContext, InferredField, OperatorSupport } from './inference-rule.ts';
import { commonFolder, commonOrigin } from './media-urls.ts';
import { addressKey, fieldsSeen, type Group, observeItems } from './observations.ts';
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
