import type { FieldBase, FieldsBase } from './field-types/field-type.ts';

/** A group of fields inside a field. */
export interface ChildGroup {
  /** The LUID of the field set of a block; `undefined` for the only group of a field. */
  readonly set: string | undefined;
  readonly fields: FieldsBase;
}

interface GroupKeys {
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

/** The groups of fields that a definition contains. */
export function childGroups(field: FieldBase): ChildGroup[] {
  const { fields, sets = {} } = field as FieldBase & GroupKeys;
  const named = Object.entries(sets).map(([set, group]) => ({ set, fields: group }));
  return fields ? [{ set: undefined, fields }, ...named] : named;
}

/** The path of a group below the path of its field: `seo.`, `sections.hero.`. */
export function groupPath(path: string, set: string | undefined): string {
  return set === undefined ? `${path}.` : `${path}.${set}.`;
}
