import type { WireContent } from '../contract/content.ts';
import type { FieldsBase } from '../models/field-types/field-type.ts';
import { isReference } from '../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { mapReferences, setOwn } from '../models/walk.ts';
import type { EntryIdRule } from './entry-id.ts';
import type { LanguageItems } from './language-items.ts';

/** What exists in a language. */
export type ExistingItems = Pick<LanguageItems, 'has' | 'isUndeclared'>;

/**
 * Whether the data of an entry shows this reference. An item keeps the ids that it was read with, so content that was
 * removed since is still named there.
 */
export function isExisting(field: ReferenceField, id: number, items: ExistingItems): boolean {
  return items.has(id) || (!targetsOf(field) && items.isUndeclared(id));
}

/** The item that an id is made of: references that lead nowhere are `null`. It is copied only if it has one. */
export function itemForId(
  fields: FieldsBase,
  rule: EntryIdRule,
  item: WireContent,
  items: ExistingItems,
): WireContent {
  const existing = ({ field, value }: { readonly field: ReferenceField; readonly value: unknown }) =>
    typeof value === 'number' && !isExisting(field, value, items) ? null : value;
  if (typeof rule === 'function') return mapReferences(fields, item, existing);
  const field = rule !== undefined && Object.hasOwn(fields, rule) ? fields[rule] : undefined;
  if (rule === undefined || !field || !isReference(field)) return item;
  const value = Object.hasOwn(item, rule) ? item[rule] : undefined;
  if (existing({ field, value }) === value) return item;
  const copy = { ...item };
  setOwn(copy, rule, null);
  return copy;
}
