import type { FieldBase, FieldsBase } from './field-types/field-type.ts';

/** A group of fields inside a field, with the LUID of its field set if the field can have several. */
export type ChildGroup = readonly [set: string | undefined, fields: FieldsBase];

interface GroupKeys {
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

/** The groups of fields that a definition contains. */
export function childGroups(field: FieldBase): readonly ChildGroup[] {
  const { fields, sets } = field as GroupKeys;
  return fields ? [[undefined, fields]] : Object.entries(sets ?? {});
}

/** The path of a group below the path of its field: `seo.`, `sections.hero.`. */
export function groupPath(path: string, set: string | undefined): string {
  return set ? `${path}.${set}.` : `${path}.`;
}
