import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { titleField } from '../../models/title-field.ts';
import { setOwn } from '../../models/walk.ts';

/** The fields whose value equals `_title` in every item that has a title (§2.1). */
export function titlesOf(items: readonly WireContent[]): string[] {
  const titled = items.filter(({ _title }) => typeof _title === 'string' && _title !== '');
  const [first] = titled;
  if (!first) return [];
  return Object.keys(first).filter(
    (luid) =>
      !SYSTEM_NAMES.has(luid) &&
      titled.every((item) => Object.hasOwn(item, luid) && item[luid] === item._title),
  );
}

/** Marks the title field, unless it is the first text field, which is the default. */
export function withTitle(fields: FieldsBase, title: string | undefined): FieldsBase {
  if (title === undefined || title === titleField(fields)) return fields;
  const marked: Record<string, object> = { ...fields };
  setOwn(marked, title, { ...fields[title], title: true });
  return marked as FieldsBase;
}
