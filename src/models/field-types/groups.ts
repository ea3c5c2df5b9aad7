import * as z from 'zod';
import { isLuid } from '../../contract/luid.ts';
import {
  chosen,
  expected,
  type FieldBase,
  type FieldsBase,
  isRecord,
  type Kind,
  type Values,
} from './field-type.ts';

export interface RepeatField extends FieldBase {
  readonly type: 'repeat';
  readonly fields: FieldsBase;
}

export interface CombinationField extends FieldBase {
  readonly type: 'combination';
  /** Field-set LUID → its fields. */
  readonly sets: { readonly [luid: string]: FieldsBase };
}

export interface FieldSetField extends FieldBase {
  readonly type: 'field_set';
  readonly fields: FieldsBase;
}

export const repeat: Kind<RepeatField> = {
  noun: 'a list of objects',
  empty: () => [],
  operators: [],
  keys: ['fields'],
  check: (field, _luid, context) => context.fields('.fields', field.fields),
  schema: (field, context) => z.array(context.fields(field.fields), { error: expected('a list of objects') }),
  write: (field, context) => z.array(context.fields(field.fields), { error: expected('a list of objects') }),
  map: (field, value, recurse) =>
    mapList(value, (entry, index) => (isRecord(entry) ? recurse(`[${index}]`, field.fields, entry) : entry)),
};

export const fieldSet: Kind<FieldSetField> = {
  noun: 'an object of fields',
  empty: () => null,
  operators: [],
  keys: ['fields'],
  check: (field, luid, context) => context.set('.fields', luid, field.fields),
  schema: (field, context) => context.fields(field.fields),
  write: (field, context) => context.fields(field.fields),
  map: (field, value, recurse) => (isRecord(value) ? recurse('', field.fields, value) : value),
};

export const combination: Kind<CombinationField> = {
  noun: 'a list of { luid, fields }',
  empty: () => [],
  operators: [],
  keys: ['sets'],
  check: (field, _luid, context) => {
    if (!isRecord(field.sets) || Object.keys(field.sets).length === 0) {
      context.complain('.sets', 'has no field sets', 'declare at least one');
      return;
    }
    for (const [luid, fields] of Object.entries(field.sets)) {
      if (!isLuid(luid)) {
        context.complain(`.sets[${JSON.stringify(luid)}]`, 'is no LUID', 'use a-z, 0-9 and _ only');
      }
      context.set(`.sets.${luid}`, luid, fields);
    }
  },
  schema: (field, context) => {
    const blocks = blockSchemas(field, context.fields);
    const block = chosen((value) => {
      if (!isBlock(value)) return expected('{ luid, fields }')({ input: value });
      return blocks.get(value.luid);
    });
    const known = (value: unknown) =>
      context.strict && Array.isArray(value)
        ? value.filter((entry) => !isBlock(entry) || blocks.has(entry.luid))
        : value;
    return z.preprocess(known, z.array(block, { error: expected('a list of { luid, fields }') }));
  },
  write: (field, context) => {
    const blocks = blockSchemas(field, context.fields);
    const block = chosen((value) => {
      if (!isBlock(value)) return expected('{ luid, fields }')({ input: value });
      return (
        blocks.get(value.luid) ??
        `expected one of the sets ${[...blocks.keys()].join(', ')}, found ${value.luid}`
      );
    });
    return z.array(block, { error: expected('a list of { luid, fields }') });
  },
  map: (field, value, recurse) =>
    mapList(value, (entry, index) => {
      const set = isBlock(entry) && Object.hasOwn(field.sets, entry.luid) && field.sets[entry.luid];
      if (!isBlock(entry) || !set) return entry;
      const fields = recurse(`[${index}].fields`, set, entry.fields);
      return fields === entry.fields ? entry : { ...entry, fields };
    }),
};

interface Block extends Values {
  readonly luid: string;
  readonly fields: Values;
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value.luid === 'string' && isRecord(value.fields);
}

function blockSchemas(field: CombinationField, fields: (fields: FieldsBase) => z.ZodType) {
  return new Map(
    Object.entries(field.sets).map(([luid, set]) => [
      luid,
      z.looseObject({ luid: z.literal(luid), fields: fields(set) }) as z.ZodType,
    ]),
  );
}

/** `map` that gives the list itself back when no entry changed. */
function mapList(value: unknown, change: (entry: unknown, index: number) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const changed = value.map(change);
  return changed.some((entry, index) => entry !== value[index]) ? changed : value;
}
