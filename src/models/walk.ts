import type { FieldBase, FieldsBase, FieldType, Values } from './field-types/field-type.ts';
import { fieldTypeOf } from './field-types/index.ts';
import type { MediaField } from './field-types/media.ts';
import type { ReferenceField } from './field-types/reference.ts';

/** A value that is not a group of fields, at any depth inside an item. */
export interface Found<F extends FieldBase = FieldBase> {
  readonly field: F;
  readonly value: unknown;
  /** From the item: `sections[2].fields.image`. */
  readonly path: string;
}

/**
 * Replaces every value of an item, at any depth, by the result of `change`. Parts without a change are not copied.
 * `null` and missing values are skipped.
 */
export function mapValues<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (found: Found) => unknown,
): V {
  return mapGroup(Object.entries, fields, values, '', change) as V;
}

/** Like `mapValues`, for references only. */
export function mapReferences<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (found: Found<ReferenceField>) => unknown,
): V {
  return mapGroup(entriesFor.reference, fields, values, '', change as (found: Found) => unknown) as V;
}

/** Like `mapValues`, for media only. */
export function mapMedia<V extends Values>(
  fields: FieldsBase,
  values: V,
  change: (found: Found<MediaField>) => unknown,
): V {
  return mapGroup(entriesFor.media, fields, values, '', change as (found: Found) => unknown) as V;
}

/** Visits every reference of an item, at any depth. */
export function visitReferences(
  fields: FieldsBase,
  values: Values,
  visit: (found: Found<ReferenceField>) => void,
): void {
  mapReferences(fields, values, (found) => {
    visit(found);
    return found.value;
  });
}

/** Visits every media of an item, at any depth. */
export function visitMedia(
  fields: FieldsBase,
  values: Values,
  visit: (found: Found<MediaField>) => void,
): void {
  mapMedia(fields, values, (found) => {
    visit(found);
    return found.value;
  });
}

type Entries = (fields: FieldsBase) => readonly (readonly [string, FieldBase])[];

const entriesFor = { reference: linksAndGroups('reference'), media: linksAndGroups('media') };

/** Most fields are strings, and every item is walked several times, so the fields to visit are cached. */
function linksAndGroups(link: FieldType['link']): Entries {
  const cache = new WeakMap<FieldsBase, ReturnType<Entries>>();
  return (fields) => {
    const known = cache.get(fields);
    if (known) return known;
    const entries = Object.entries(fields).filter(([, field]) => {
      const type = fieldTypeOf(field);
      return type.link === link || type.mapGroups;
    });
    cache.set(fields, entries);
    return entries;
  };
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
  const { mapGroups } = fieldTypeOf(field);
  if (!mapGroups) return change({ field, value, path });
  return mapGroups(field, value, (below, fields, values) =>
    mapGroup(entriesOf, fields, values, `${path}${below}.`, change),
  );
}

/** Sets a property of any name. A plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
