import { kindOf } from './kinds/index.ts';
import type { FieldBase, FieldsBase, Values } from './kinds/kind.ts';
import type { MediaField } from './kinds/media.ts';
import type { ReferenceField } from './kinds/reference.ts';

/** A reference or media inside an item, however deep in repeats, combinations and field sets. */
export interface Leaf {
  readonly field: MediaField | ReferenceField;
  readonly value: unknown;
  /** From the item: `sections[2].fields.image`. */
  readonly path: string;
}

/**
 * Rebuilds a group of values with every reference and media in it replaced by what `change` answers.
 * Whatever did not change is given back itself, so that unchanged parts share memory. Empty ones are
 * not visited.
 */
export function mapLeaves<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (leaf: Leaf) => unknown,
): V {
  return mapGroup(fields, values, '', change) as V;
}

/** Visits every reference and media of an item. */
export function visitLeaves(fields: FieldsBase, values: Values, visit: (leaf: Leaf) => void): void {
  mapLeaves(fields, values, (leaf) => {
    visit(leaf);
    return leaf.value;
  });
}

function mapGroup(
  fields: FieldsBase,
  values: Values,
  prefix: string,
  change: (leaf: Leaf) => unknown,
): Values {
  let copy: Record<string, unknown> | undefined;
  for (const [luid, field] of Object.entries(fields)) {
    const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
    if (value === null || value === undefined) continue;
    const next = mapValue(field, value, `${prefix}${luid}`, change);
    if (next === value) continue;
    copy ??= { ...values };
    setOwn(copy, luid, next);
  }
  return copy ?? values;
}

function mapValue(field: FieldBase, value: unknown, path: string, change: (leaf: Leaf) => unknown): unknown {
  const kind = kindOf(field);
  if (kind.leaf) return change({ field: field as Leaf['field'], value, path });
  if (!kind.map) return value;
  return kind.map(field, value, (below, fields, values) =>
    mapGroup(fields, values, `${path}${below}.`, change),
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
