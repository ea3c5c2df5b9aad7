import { SYSTEM_PROPERTIES, type WireContent } from '../../contract/content.ts';
import { groupPath } from '../../models/child-groups.ts';
import { type FieldsBase, isEmpty, type Values } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { declaredFields, fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { printable } from '../../printable.ts';
import type { Finding } from './finding.ts';

const SYSTEM: ReadonlySet<string> = new Set([...SYSTEM_PROPERTIES, '_prev', '_next', '_langs']);
const MOST_NAMES = 20;
/** Items of a model that are looked at where none of its fields is missing. */
const ENOUGH = 100;

/** One warning per model whose content has fields that the map lacks. */
export function undeclaredFields(models: ModelMap, items: Iterable<WireContent>, strict = false): Finding[] {
  const fate = strict ? 'they are dropped' : 'they pass through untyped';
  const drift = new Map<string, Set<string>>();
  for (const item of items) {
    const fields = fieldsOf(models, item._model);
    for (const key of Object.keys(item)) {
      if (SYSTEM.has(key) || Object.hasOwn(fields, key)) continue;
      const found = drift.get(item._model) ?? new Set<string>();
      drift.set(item._model, found.add(key));
    }
  }
  return [...drift].map(([model, luids]) => ({
    key: `undeclared fields ${model} ${[...luids].sort().join(' ')}`,
    line: `${model} has fields that the model map lacks: ${listed(luids)} (${fate})`,
  }));
}

/** The fields that a model declares and none of its items has, by model: `seo.description`, `sections.hero.image`. */
export function missingFields(models: ModelMap, items: Iterable<WireContent>): Map<string, string[]> {
  const seen = new Map<string, Presence>();
  for (const item of items) {
    const fields = declaredFields(models, item._model);
    if (!fields) continue;
    const presence = seen.get(item._model) ?? { present: new Set(), absent: new Set(), items: 0 };
    seen.set(item._model, presence);
    // The service sends every field of a model (§2.1), so the first items show all that are there.
    if (presence.items >= ENOUGH && presence.absent.size === 0) continue;
    presence.items += 1;
    look(presence, fields, item, '');
  }
  const missing = [...seen].map(([model, { absent }]) => [model, [...absent].sort()] as const);
  return new Map(missing.filter(([, paths]) => paths.length > 0));
}

interface Presence {
  readonly present: Set<string>;
  /** Fields of groups that were there, which no such group had so far. */
  readonly absent: Set<string>;
  /** That were looked at. */
  items: number;
}

function look(presence: Presence, fields: FieldsBase, values: Values, prefix: string): void {
  const { present, absent } = presence;
  for (const [luid, field] of Object.entries(fields)) {
    // A field named like a system property gives way to it, and is never seen.
    if (prefix === '' && SYSTEM.has(luid)) continue;
    const path = prefix + luid;
    const isThere = Object.hasOwn(values, luid);
    if (!isThere && !present.has(path)) absent.add(path);
    if (!isThere) continue;
    if (!present.has(path)) {
      present.add(path);
      absent.delete(path);
    }
    const value = values[luid];
    if (isEmpty(value)) continue;
    fieldTypeOf(field).mapGroups?.(field, value, (_below, inner, group, set) => {
      look(presence, inner, group, groupPath(path, set));
      return group;
    });
  }
}

export function missingFieldsFinding(model: string, paths: readonly string[]): Finding {
  return {
    key: `missing fields ${model}`,
    line: `${model} declares ${listed(paths)}, which no item has: is the LUID right? Run \`npx luid check\` to compare the models with the content`,
  };
}

function listed(luids: Iterable<string>): string {
  const names = [...luids].sort().map((luid) => printable(luid, 60));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.slice(0, MOST_NAMES).join(', ') + more;
}
