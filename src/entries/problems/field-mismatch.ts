import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import { groupPath } from '../../models/child-groups.ts';
import { type FieldsBase, isEmpty, type Values } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { declaredFields, fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { printable } from '../../printable.ts';
import type { ContentWarning } from './content-warning.ts';

const MAX_LISTED_FIELDS = 20;
/** Items of a model that are checked, as long as none of its fields is missing. */
const SAMPLE_SIZE = 100;

/** One warning per model whose items have fields that the model map does not declare. */
export function undeclaredFieldWarnings(
  models: ModelMap,
  items: Iterable<WireContent>,
  strict = false,
): ContentWarning[] {
  const consequence = strict ? 'they are dropped' : 'they pass through untyped';
  const undeclared = new Map<string, Set<string>>();
  for (const item of items) {
    const fields = fieldsOf(models, item._model);
    for (const key of Object.keys(item)) {
      if (SYSTEM_NAMES.has(key) || Object.hasOwn(fields, key)) continue;
      const luids = undeclared.get(item._model) ?? new Set<string>();
      undeclared.set(item._model, luids.add(key));
    }
  }
  return [...undeclared].map(([model, luids]) => ({
    key: `undeclared fields ${model} ${[...luids].sort().join(' ')}`,
    line: `${model} has undeclared fields: ${listFields(luids)} (${consequence})`,
  }));
}

/** By model, the fields that it declares and none of its items has: `seo.description`, `sections.hero.image`. */
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
  const missing = [...seen].map(([model, { absent }]) => [model, [...absent].sort()] as const);
  return new Map(missing.filter(([, paths]) => paths.length > 0));
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

export function missingFieldsWarning(model: string, paths: readonly string[]): ContentWarning {
  return {
    key: `missing fields ${model}`,
    line: `${model} declares ${listFields(paths)}, which no item has: is the LUID right? Run \`npx luid check\` to compare the models with the content`,
  };
}

function listFields(luids: Iterable<string>): string {
  const names = [...luids].sort().map((luid) => printable(luid, 60));
  const more = names.length > MAX_LISTED_FIELDS ? ` and ${names.length - MAX_LISTED_FIELDS} more` : '';
  return names.slice(0, MAX_LISTED_FIELDS).join(', ') + more;
}
