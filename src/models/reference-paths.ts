import { childGroups, groupPath } from './child-groups.ts';
import type { FieldsBase, Values } from './field-types/field-type.ts';
import { fieldTypeOf, isReference } from './field-types/index.ts';
import type { ReferenceField } from './field-types/reference.ts';
import type { Fields, System, UnnamedStrings } from './types.ts';

/**
 * All reference fields of a model, at any depth, with the path of each: `author`, `related.article` in a repeat or a
 * field set, `sections.hero.link` in a field set of a combination.
 */
export function referenceFields(fields: FieldsBase, prefix = ''): [path: string, field: ReferenceField][] {
  return Object.entries(fields).flatMap(([luid, field]) => {
    const path = `${prefix}${luid}`;
    if (isReference(field)) return [[path, field]];
    return childGroups(field).flatMap(([set, group]) => referenceFields(group, groupPath(path, set)));
  });
}

/** A path as `referenceFields` returns it: `[]` after a repeat, as in `related[].article`, adds nothing. */
export function plainPath(fields: FieldsBase, path: string): string {
  const [luid = '', ...rest] = path.split('.');
  const name = luid.replace(/\[\]$/, '');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field || rest.length === 0 || (name !== luid && fieldTypeOf(field).filterInside !== 'list'))
    return path;
  for (const [set, group] of childGroups(field)) {
    if (set === undefined) return groupPath(name, set) + plainPath(group, rest.join('.'));
    if (set === rest[0] && rest.length > 1)
      return groupPath(name, set) + plainPath(group, rest.slice(1).join('.'));
  }
  return path;
}

/**
 * The paths of `referenceFields` that can hold content of a model, also with `[]` after a repeat. System properties
 * replace fields of the same name.
 */
export type ReferencePaths<F extends Fields, Target extends string> = UnnamedStrings<
  {
    [K in Exclude<keyof F & string, keyof System>]: PathsIn<K, F[K], Target>;
  }[Exclude<keyof F & string, keyof System>]
>;

type PathsIn<K extends string, F, Target extends string> = F extends { readonly type: 'reference' }
  ? CanHold<F, Target> extends true
    ? K
    : never
  : F extends { readonly fields: infer Inner extends Fields }
    ? InnerPaths<F extends { readonly type: 'repeat' } ? K | `${K}[]` : K, Inner, Target>
    : F extends { readonly sets: infer Sets extends { readonly [luid: string]: Fields } }
      ? { [S in keyof Sets & string]: InnerPaths<`${K}.${S}`, Sets[S], Target> }[keyof Sets & string]
      : never;

type InnerPaths<Prefix extends string, F extends Fields, Target extends string> = UnnamedStrings<
  { [K in keyof F & string]: PathsIn<`${Prefix}.${K}`, F[K], Target> }[keyof F & string]
>;

/** A reference that names no model can hold any. */
type CanHold<F, Target extends string> = F extends { readonly model: infer Models }
  ? Target extends (Models extends readonly (infer One)[] ? One : Models)
    ? true
    : false
  : true;

/** The content IDs at the path of a reference field, each once. */
export function referencesAt(fields: FieldsBase, values: Values, path: string): ReadonlySet<number> {
  const found = new Set<number>();
  collect(fields, values, path.split('.'), found);
  return found;
}

function collect(
  fields: FieldsBase,
  values: Values,
  [luid = '', ...rest]: readonly string[],
  found: Set<number>,
): void {
  const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
  if (!field || value === null || value === undefined) return;
  if (isReference(field) && typeof value === 'number') found.add(value);
  fieldTypeOf(field).mapGroups?.(field, value, (_below, inner, group, set) => {
    if (set === undefined) collect(inner, group, rest, found);
    else if (set === rest[0]) collect(inner, group, rest.slice(1), found);
    return group;
  });
}
