import * as z from 'zod';
import type { WireContent } from '../../contract/content.ts';
import { groupPath } from '../../models/child-groups.ts';
import {
  expected,
  type FieldBase,
  type FieldsBase,
  isEmpty,
  type Values,
} from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { declaredFields } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { SYSTEM } from '../infer/infer.ts';
import { type Drift, DriftLog } from './drift.ts';

export interface Comparison {
  /** Compares an item at depth 0. */
  add(item: WireContent): void;
  result(): Drift[];
}

/** What groups hold is compared by itself. */
const ANYTHING = {
  depth: 0,
  strict: false,
  fields: () => z.looseObject({}, { error: expected('an object of fields') }),
  target: () => undefined,
};

/** Compares content with the declared map, by the same schemas that a build validates with. */
export function compareWith(models: ModelMap, targets: ReadonlyMap<number, string>): Comparison {
  const log = new DriftLog();
  /** Fields that no item had so far: by model and field. */
  const absent = new Map<string, { model: string; field: string }>();
  const present = new Set<string>();
  const schemas = new Map<FieldBase, z.ZodType>();

  function add(item: WireContent): void {
    const fields = declaredFields(models, item._model);
    if (fields) compareGroup(item, fields, item, '');
  }

  function compareGroup(item: WireContent, fields: FieldsBase, values: Values, prefix: string): void {
    for (const luid of Object.keys(values)) {
      if (Object.hasOwn(fields, luid) || (prefix === '' && SYSTEM.has(luid))) continue;
      log.add(item._model, `${prefix}${luid}`, 'extra', 'not declared', item._id);
    }
    for (const [luid, field] of Object.entries(fields)) {
      const path = `${prefix}${luid}`;
      const key = `${item._model} ${path}`;
      // One named like a system property gives way to it, and is never seen.
      if (prefix === '' && SYSTEM.has(luid)) continue;
      if (Object.hasOwn(values, luid)) present.add(key);
      else absent.set(key, { model: item._model, field: path });
      compareValue(item, field, Object.hasOwn(values, luid) ? values[luid] : undefined, path);
    }
  }

  function compareValue(item: WireContent, field: FieldBase, value: unknown, path: string): void {
    const found = (problem: 'empty' | 'option' | 'type' | 'extra', message: string, at = path) =>
      log.add(item._model, at, problem, message, item._id);
    if (isEmpty(value)) {
      if (field.required) found('empty', 'required, but empty');
      return;
    }
    const type = fieldTypeOf(field);
    const wrong = problemWith(field, value);
    if (wrong) {
      const open = withoutOptions(field);
      const isOption = open !== undefined && !problemWith(open, value);
      found(isOption ? 'option' : 'type', wrong);
      return;
    }
    const target = typeof value === 'number' ? targets.get(value) : undefined;
    const allowed = isReference(field) ? targetsOf(field) : undefined;
    if (target !== undefined && allowed && !allowed.includes(target)) {
      found('type', `expected content of ${allowed.join(' or ')}, found content of ${target}`);
    }
    for (const luid of type.undeclaredSets?.(field, value) ?? [])
      found('extra', 'a field set that is not declared', `${path}.${luid}`);
    type.mapGroups?.(field, value, (_below, fields, values, set) => {
      compareGroup(item, fields, values, groupPath(path, set));
      return values;
    });
  }

  function problemWith(field: FieldBase, value: unknown): string | undefined {
    const schema = schemas.get(field) ?? fieldTypeOf(field).schema(field, ANYTHING);
    schemas.set(field, schema);
    const message = schema.safeParse(value).error?.issues[0]?.message;
    // What to do about it is clear here.
    return message?.replace(/: correct the entry[^:]*$/, '');
  }

  const bare = new Map<FieldBase, FieldBase | undefined>();
  function withoutOptions(field: FieldBase): FieldBase | undefined {
    const known = bare.get(field) ?? fieldTypeOf(field).withoutOptions?.(field);
    bare.set(field, known);
    return known;
  }

  return {
    add,
    result() {
      for (const [key, { model, field }] of absent) {
        if (!present.has(key)) log.add(model, field, 'missing', 'declared, but no item has it');
      }
      return log.all;
    },
  };
}
