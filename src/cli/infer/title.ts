import type { WireContent } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { titleField } from '../../models/title-field.ts';
import { setOwn } from '../../models/walk.ts';

/** The fields that are `_title` in every item which has one (§2.1: it is taken from one of them). */
export function titlesOf(items: readonly WireContent[]): string[] {
  const titled = items.filter(({ _title }) => typeof _title === 'string' && _title !== '');
  const [first] = titled;
  if (!first) return [];
  return Object.keys(first).filter(
    (luid) =>
      luid !== '_title' && titled.every((item) => Object.hasOwn(item, luid) && item[luid] === item._title),
  );
}

/** The first text gives the title unless another field is said to. */
export function withTitle(fields: FieldsBase, title: string | undefined): FieldsBase {
  if (title === undefined || title === titleField(fields)) return fields;
  const marked: Record<string, object> = { ...fields };
  setOwn(marked, title, { ...fields[title], title: true });
  return marked as FieldsBase;
}
