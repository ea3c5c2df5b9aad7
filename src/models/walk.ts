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

type Change<F extends FieldBase = FieldBase> = (found: Found<F>) => unknown;

/**
 * Replaces every value of an item, at any depth, by the result of `change`. Parts without a change are not copied.
 * `null` and missing values are skipped.
 */
export function mapValues<V extends Values>(fields: FieldsBase, values: V, change: Change): V {
  return mapGroup(Object.entries, fields, values, '', change) as V;
}

/** The fields of a group that are references, or contain groups. */
export const referencesAndGroups = linksAndGroups('reference');

/** Like `mapValues`, for references only. */
export const mapReferences = mapLinks<ReferenceField>(referencesAndGroups);
/** The same, for references that are `null` too. */
export const mapAllReferences = mapLinks<ReferenceField>(referencesAndGroups, true);
/** Like `mapValues`, for media only. */
export const mapMedia = mapLinks<MediaField>(linksAndGroups('media'));

/** Visits every reference of an item, at any depth. */
export const visitReferences = visitWith(mapReferences);
/** Visits every media of an item, at any depth. */
export const visitMedia = visitWith(mapMedia);

function mapLinks<F extends FieldBase>(entriesOf: Entries, withNull = false) {
  return <V extends Values>(fields: FieldsBase, values: V, change: Change<F>): V =>
    mapGroup(entriesOf, fields, values, '', change as Change, withNull) as V;
}

function visitWith<F extends FieldBase>(
  map: (fields: FieldsBase, values: Values, change: Change<F>) => Values,
) {
  return (fields: FieldsBase, values: Values, visit: (found: Found<F>) => void): void => {
    map(fields, values, (found) => {
      visit(found);
      return found.value;
    });
  };
}

type Entries = (fields: FieldsBase) => readonly (readonly [string, FieldBase])[];

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
  change: Change,
  withNull = false,
): Values {
  let copy: Record<string, unknown> | undefined;
  for (const [luid, field] of entriesOf(fields)) {
    const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
    if (value === undefined || (value === null && !withNull)) continue;
    const path = `${prefix}${luid}`;
    const { mapGroups } = fieldTypeOf(field);
    const next = mapGroups
      ? mapGroups(field, value, (below, inner, group) =>
          mapGroup(entriesOf, inner, group, `${path}${below}.`, change, withNull),
        )
      : change({ field, value, path });
    if (next === value) continue;
    copy ??= { ...values };
    setOwn(copy, luid, next);
  }
  return copy ?? values;
}

/** Sets a property of any name. A plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
