import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import { groupPath } from '../../models/child-groups.ts';
import { type FieldsBase, isEmpty, type Values } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { declaredFields, fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { printable } from '../../shared/printable.ts';
import type { ContentWarning } from './content-warning.ts';

const MAX_LISTED_FIELDS = 20;
/** Items of a model that are checked, as long as none of its fields is missing. */
const SAMPLE_SIZE = 100;

/** By model, the fields that items have and it does not declare, with those that are known `before`. */
export function findUndeclaredFields(
  models: ModelMap,
  items: Iterable<WireContent>,
  before: Readonly<Record<string, readonly string[]>> = {},
): Map<string, string[]> {
  const undeclared = new Map<string, Set<string>>();
  for (const item of items) {
    const fields = fieldsOf(models, item._model);
    for (const key of Object.keys(item)) {
      if (SYSTEM_NAMES.has(key) || Object.hasOwn(fields, key)) continue;
      const luids =
        undeclared.get(item._model) ?? new Set(Object.hasOwn(before, item._model) ? before[item._model] : []);
      undeclared.set(item._model, luids.add(key));
    }
  }
  return new Map([...undeclared].map(([model, luids]) => [model, [...luids].sort()]));
}

export function undeclaredFieldsWarning(
  model: string,
  luids: readonly string[],
  strict: boolean,
): ContentWarning {
  const consequence = strict ? 'they are dropped' : 'they pass through untyped';
  return {
    key: `undeclared fields ${model} ${luids.join(' ')}`,
    line: `${model} has undeclared fields: ${listFields(luids)} (${consequence})`,
  };
}

/** By model of the items, the fields that it declares and none of them has: `seo.description`, `sections.hero.image`. */
export function findMissingFields(models: ModelMap, items: Iterable<WireContent>): Map<string, string[]> {
  const seen = new Map<string, FieldPresence>();
  for (const item of items) {
    const fields = declaredFields(models, item._model);
    if (!fields) continue;
    const presence = seen.get(item._model) ?? { present: new Set(), absent: new Set(), checked: 0 };
    seen.set(item._model, presence);
    // The service sends every field of a model (§2.1), so a sample is enough.
    if (presence.checked >= SAMPLE_SIZE && presence.absent.size === 0) continue;
    presence.checked += 1;
    checkFields(presence, fields, item, '');
  }
  return new Map([...seen].map(([model, { absent }]) => [model, [...absent].sort()]));
}

interface FieldPresence {
  readonly present: Set<string>;
  /** Declared fields that no item had so far. */
  readonly absent: Set<string>;
  /** How many items were checked. */
  checked: number;
}

function checkFields(presence: FieldPresence, fields: FieldsBase, values: Values, prefix: string): void {
  const { present, absent } = presence;
  for (const [luid, field] of Object.entries(fields)) {
    // A system property of the same name hides the field.
    if (prefix === '' && SYSTEM_NAMES.has(luid)) continue;
    const path = prefix + luid;
    const isPresent = Object.hasOwn(values, luid);
    if (!isPresent && !present.has(path)) absent.add(path);
    if (!isPresent) continue;
    if (!present.has(path)) {
      present.add(path);
      absent.delete(path);
    }
    const value = values[luid];
    if (isEmpty(value)) continue;
    fieldTypeOf(field).mapGroups?.(field, value, (_below, inner, group, set) => {
      checkFields(presence, inner, group, groupPath(path, set));
      return group;
    });
  }
}

/** None if no field is missing. */
export function missingFieldsWarning(model: string, paths: readonly string[]): ContentWarning[] {
  if (paths.length === 0) return [];
  const line = `${model} declares ${listFields(paths)}, which no item has: is the LUID right? Run \`npx luid check\` to compare the models with the content`;
  return [{ key: `missing fields ${model}`, line }];
}

function listFields(luids: Iterable<string>): string {
  const names = [...luids].sort().map((luid) => printable(luid, 60));
  const more = names.length > MAX_LISTED_FIELDS ? ` and ${names.length - MAX_LISTED_FIELDS} more` : '';
  return names.slice(0, MAX_LISTED_FIELDS).join(', ') + more;
}
