import { SYSTEM_NAMES } from '../../contract/content.ts';
import type { FieldBase, FieldsBase, Values } from '../../models/field-types/field-type.ts';
import { isEmpty } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { isRecord } from '../../shared/is-record.ts';

/** What becomes of the values of an item. Returning `undefined` leaves a value out. */
export interface ValueRules {
  /** The id of what a reference leads to. */
  reference(id: number, path: string): unknown;
  media(value: unknown, path: string): unknown;
  richText(html: string, path: string): unknown;
  /** Any other value. Default: it stays as it is. */
  other?(value: unknown, field: FieldBase, path: string): unknown;
  /** Called for what the model map does not declare, which is left out. */
  undeclared(path: string): void;
}

/** Values with links and flexible texts changed, at any depth, and without what is empty. */
export function mapItemValues(fields: FieldsBase, values: Values, rules: ValueRules, prefix = ''): Values {
  const entries = Object.entries(values).flatMap(([luid, value]): [string, unknown][] => {
    if (isEmpty(value) || (prefix === '' && SYSTEM_NAMES.has(luid))) return [];
    const path = prefix + luid;
    const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
    if (!field) rules.undeclared(path);
    const mapped = field && mapValue(field, value, rules, path);
    return isEmpty(mapped) ? [] : [[luid, mapped]];
  });
  return Object.fromEntries(entries);
}

function mapValue(field: FieldBase, value: unknown, rules: ValueRules, path: string): unknown {
  const { link, text, mapGroups, undeclaredSets } = fieldTypeOf(field);
  if (link === 'reference') return typeof value === 'number' ? rules.reference(value, path) : undefined;
  if (link === 'media') return rules.media(value, path);
  if (text === 'rich' && typeof value === 'string') return rules.richText(value, path);
  if (!mapGroups) return rules.other ? rules.other(value, field, path) : value;
  const unknown = new Set(undeclaredSets?.(field, value));
  for (const luid of unknown) rules.undeclared(`${path}.${luid}`);
  const declared =
    unknown.size > 0 && Array.isArray(value)
      ? value.filter((block) => !isRecord(block) || !unknown.has(block.luid as string))
      : value;
  return mapGroups(field, declared, (below, inner, group) =>
    mapItemValues(inner, group, rules, `${path}${below}.`),
  );
}
