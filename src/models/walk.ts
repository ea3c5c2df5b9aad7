import type { FieldBase, FieldsBase, Values } from './field-types/field-type.ts';
import { kindOf } from './field-types/index.ts';
import type { MediaField } from './field-types/media.ts';
import type { ReferenceField } from './field-types/reference.ts';

/** A value inside an item that is no group itself, however deep in repeats, combinations and field sets. */
export interface Found {
  readonly field: FieldBase;
  readonly value: unknown;
  /** From the item: `sections[2].fields.image`. */
  readonly path: string;
}

/** A reference or media. */
export interface Leaf extends Found {
  readonly field: MediaField | ReferenceField;
}

/**
 * Rebuilds a group of values with every one in it that is no group replaced by what `change` answers.
 * Whatever did not change is given back itself, so that unchanged parts share memory. Empty ones are
 * not visited.
 */
export function mapValues<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (found: Found) => unknown,
): V {
  return mapGroup(Object.entries, fields, values, '', change) as V;
}

/** The same for references and media alone. */
export function mapLeaves<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (leaf: Leaf) => unknown,
): V {
  return mapGroup(leavesAndGroups, fields, values, '', change as (found: Found) => unknown) as V;
}

type Entries = (fields: FieldsBase) => readonly (readonly [string, FieldBase])[];

/** Most fields are texts, and every item is walked several times. A map that is declared does not change. */
const found = new WeakMap<FieldsBase, ReturnType<Entries>>();

const leavesAndGroups: Entries = (fields) => {
  const known = found.get(fields);
  if (known) return known;
  const entries = Object.entries(fields).filter(([, field]) => {
    const { leaf, map } = kindOf(field);
    return leaf || map;
  });
  found.set(fields, entries);
  return entries;
};

/** Visits every reference and media of an item. */
export function visitLeaves(fields: FieldsBase, values: Values, visit: (leaf: Leaf) => void): void {
  mapLeaves(fields, values, (leaf) => {
    visit(leaf);
    return leaf.value;
  });
}

function mapGroup(
  entriesOf: Entries,
  fields: FieldsBase,
  values: Values,
  prefix: string,
  change: (found: Found) => unknown,
): Values {
  let copy: Record<string, unknown> | undefined;
  for (const [luid, field] of entriesOf(fields)) {
    const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
    if (value === null || value === undefined) continue;
    const next = mapValue(entriesOf, field, value, `${prefix}${luid}`, change);
    if (next === value) continue;
    copy ??= { ...values };
    setOwn(copy, luid, next);
  }
  return copy ?? values;
}

function mapValue(
  entriesOf: Entries,
  field: FieldBase,
  value: unknown,
  path: string,
  change: (found: Found) => unknown,
): unknown {
  const { map } = kindOf(field);
  if (!map) return change({ field, value, path });
  return map(field, value, (below, fields, values) =>
    mapGroup(entriesOf, fields, values, `${path}${below}.`, change),
  );
}

/** Sets a property of any name; plain assignment of `__proto__` would change the prototype instead. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
