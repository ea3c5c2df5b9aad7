import * as z from 'zod';
import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
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
import type { MismatchLog } from './mismatch-log.ts';

export interface Comparison {
  /** Compares an item at depth 0. */
  add(item: WireContent): void;
  /** Reports the fields that no item had. */
  end(): void;
}

/** Schemas of groups accept any fields: those are compared one by one. */
const SCHEMA_CONTEXT = {
  depth: 0,
  strict: false,
  fields: () => z.looseObject({}, { error: expected('an object of fields') }),
  target: () => undefined,
};

/** Compares content with the declared models, using the schemas that a build validates with. */
export function compareContent(
  log: MismatchLog,
  models: ModelMap,
  targets: ReadonlyMap<number, string>,
): Comparison {
  /** Fields that were absent from an item, by model and path. */
  const absent = new Map<string, { model: string; field: string }>();
  const present = new Set<string>();
  const schemas = new WeakMap<FieldBase, z.ZodType>();

  function add(item: WireContent): void {
    const fields = declaredFields(models, item._model);
    if (fields) compareGroup(item, fields, item, '');
  }

  function compareGroup(item: WireContent, fields: FieldsBase, values: Values, prefix: string): void {
    for (const luid of Object.keys(values)) {
      if (Object.hasOwn(fields, luid) || (prefix === '' && SYSTEM_NAMES.has(luid))) continue;
      log.add(item._model, `${prefix}${luid}`, 'extra', 'not declared', item._id);
    }
    for (const [luid, field] of Object.entries(fields)) {
      const path = `${prefix}${luid}`;
      const key = `${item._model} ${path}`;
      // A system property of the same name hides the field.
      if (prefix === '' && SYSTEM_NAMES.has(luid)) continue;
      if (Object.hasOwn(values, luid)) present.add(key);
      else absent.set(key, { model: item._model, field: path });
      compareValue(item, field, Object.hasOwn(values, luid) ? values[luid] : undefined, path);
    }
  }

  function compareValue(item: WireContent, field: FieldBase, value: unknown, path: string): void {
    const report = (problem: 'empty' | 'option' | 'type' | 'extra', message: string, at = path) =>
      log.add(item._model, at, problem, message, item._id);
    if (isEmpty(value)) {
      if (field.required) report('empty', 'required, but empty');
      return;
    }
    const type = fieldTypeOf(field);
    const problem = validate(field, value);
    if (problem) {
      const open = type.withoutOptions?.(field);
      const isOption = open !== undefined && !validate(open, value);
      report(isOption ? 'option' : 'type', problem);
      return;
    }
    const target = typeof value === 'number' ? targets.get(value) : undefined;
    const allowed = isReference(field) ? targetsOf(field) : undefined;
    if (target !== undefined && allowed && !allowed.includes(target)) {
      report('type', `expected content of ${allowed.join(' or ')}, found content of ${target}`);
    }
    for (const luid of type.undeclaredSets?.(field, value) ?? [])
      report('extra', 'undeclared field set', `${path}.${luid}`);
    type.mapGroups?.(field, value, (_below, fields, values, set) => {
      compareGroup(item, fields, values, groupPath(path, set));
      return values;
    });
  }

  /** The validation error of a value, if any. */
  function validate(field: FieldBase, value: unknown): string | undefined {
    const schema = schemas.get(field) ?? fieldTypeOf(field).schema(field, SCHEMA_CONTEXT);
    schemas.set(field, schema);
    const message = schema.safeParse(value).error?.issues[0]?.message;
    // Drops the advice at the end of the message, which is for builds.
    return message?.replace(/: correct the entry[^:]*$/, '');
  }

  return {
    add,
    end() {
      for (const [key, { model, field }] of absent) {
        if (!present.has(key)) log.add(model, field, 'missing', 'declared, but no item has it');
      }
    },
  };
}
