import { SYSTEM_PROPERTIES, type WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import { inferField } from './infer-field.ts';
import type { Surroundings } from './inference-rule.ts';
import { commonFolder, commonOrigin } from './media-urls.ts';
import { type Address, type Group, observe, type Sets, type Sightings } from './sightings.ts';
import { titlesOf, withTitle } from './title.ts';
import type { Evidence, Proof } from './verdict.ts';

/** What a model map is inferred from. */
export interface Samples {
  /** Content at depth 0, in any language, and the same item as often as it comes. */
  readonly items: readonly WireContent[];
  /** Models of content ids, for references. */
  readonly targets: ReadonlyMap<number, string>;
  /** What the service takes, by `addressKey`. */
  readonly proofs?: ReadonlyMap<string, Proof> | undefined;
}

export interface Inferred {
  readonly models: ModelMap;
  /** By place: `article.seo.description`, `article.sections.hero.image`. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Where all media lie, if there are any. */
  readonly assetsUrl: string | undefined;
}

/** What every item has beside its fields. */
export const SYSTEM: ReadonlySet<string> = new Set([...SYSTEM_PROPERTIES, '_prev', '_next', '_langs']);

/** The model map that the samples show, and what speaks for each field of it. */
export function inferModels({ items, targets, proofs }: Samples): Inferred {
  const { models, sets } = observeItems(items);
  const names = [...models.keys()].sort();
  const urls = mediaUrls([...models.values(), ...sets.values()]);
  const assetsOrigin = commonOrigin(urls);
  const evidence = new Map<string, Evidence>();
  const known = new Map([...targets, ...items.map(({ _id, _model }) => [_id, _model] as const)]);
  const judged: Record<string, FieldsBase> = {};
  /** The field sets that are being judged: none can hold itself, whatever its fields are called. */
  const open = new Set<string>();

  const around = (place: string, isTitle: boolean): Surroundings => ({
    modelOf: (id) => known.get(id),
    models: names,
    proofOf: ({ address }) => address && proofs?.get(addressKey(address)),
    isTitle,
    assetsOrigin,
    group: (group) => judgeGroup(group, place),
    set: (luid, below = '') => judgeSet(luid, `${place}${below}`),
  });

  // One definition for all its uses: judged by the same sightings, it comes out the same.
  function judgeSet(luid: string, place: string): FieldsBase {
    if (open.has(luid)) return {};
    open.add(luid);
    const fields = judgeGroup(sets.get(luid) ?? new Map(), place);
    open.delete(luid);
    return fields;
  }

  function judgeGroup(group: Group, place: string, title?: string): FieldsBase {
    const fields: Record<string, Field> = {};
    for (const [luid, seen] of group) {
      const path = `${place}.${luid}`;
      const { field, ...verdict } = inferField(seen, around(path, luid === title));
      evidence.set(path, { filled: seen.filled.size, of: seen.places.size, ...verdict });
      setOwn(fields, luid, field);
    }
    return fields;
  }

  for (const name of names) {
    const group = models.get(name) ?? new Map();
    const [title, ...others] = titlesOf(items.filter(({ _model }) => _model === name));
    const fields = judgeGroup(group, name, title);
    const found = evidence.get(`${name}.${title}`);
    if (found && others.length > 0) {
      evidence.set(`${name}.${title}`, { ...found, doubt: `_title may also come from ${others.join(', ')}` });
    }
    if (Object.keys(fields).length > 0) setOwn(judged, name, withTitle(fields, title));
  }
  return { models: judged as ModelMap, evidence, assetsUrl: commonFolder(urls) };
}

/** What stands in the samples, by model, and by field set wherever it is used. */
export function observeItems(items: readonly WireContent[]): { models: Map<string, Group>; sets: Sets } {
  const models = new Map<string, Group>();
  const sets: Sets = new Map();
  for (const item of items) {
    const model = item._model;
    const group: Group = models.get(model) ?? new Map();
    models.set(model, group);
    const address = (luid: string): Address => ({ model, path: luid, inRepeat: false });
    observe(group, item, String(item._id), sets, address, SYSTEM);
  }
  return { models, sets };
}

export function addressKey({ model, path }: Address): string {
  return `${model}.${path}`;
}

function mediaUrls(groups: readonly Group[]): string[] {
  const urls = new Set<string>();
  const visit = (seen: Sightings) => {
    for (const url of seen.urls) urls.add(url);
    for (const inner of seen.entries.values()) visit(inner);
  };
  for (const group of groups) for (const seen of group.values()) visit(seen);
  return [...urls];
}
