import * as z from 'zod';
import { isLuid } from '../../contract/luid.ts';
import { isRecord } from '../../shared/is-record.ts';
import {
  dynamicSchema,
  expected,
  type FieldBase,
  type FieldsBase,
  type FieldType,
  type SchemaContext,
  type Values,
} from './field-type.ts';

export interface RepeatField extends FieldBase {
  readonly type: 'repeat';
  readonly fields: FieldsBase;
}

export interface CombinationField extends FieldBase {
  readonly type: 'combination';
  /** The fields of each field set, by its LUID. */
  readonly sets: { readonly [luid: string]: FieldsBase };
}

export interface FieldSetField extends FieldBase {
  readonly type: 'field_set';
  readonly fields: FieldsBase;
}

export const repeat: FieldType<RepeatField> = {
  empty: () => [],
  operators: [],
  filterInside: 'list',
  keys: ['fields'],
  check: (field, _luid, context) => context.fields('.fields', field.fields),
  schema: (field, context) => z.array(context.fields(field.fields), { error: expected('a list of objects') }),
  mapGroups: (field, value, change) =>
    mapList(value, (entry, index) => (isRecord(entry) ? change(`[${index}]`, field.fields, entry) : entry)),
};

export const fieldSet: FieldType<FieldSetField> = {
  empty: () => null,
  operators: [],
  filterInside: 'group',
  keys: ['fields'],
  check: (field, luid, context) => context.set('.fields', luid, field.fields),
  schema: (field, context) => context.fields(field.fields),
  mapGroups: (field, value, change) => (isRecord(value) ? change('', field.fields, value) : value),
};

export const combination: FieldType<CombinationField> = {
  empty: () => [],
  operators: [],
  keys: ['sets'],
  check: (field, _luid, context) => {
    if (!isRecord(field.sets) || Object.keys(field.sets).length === 0) {
      context.report('.sets', 'has no field sets', 'Declare at least one.');
      return;
    }
    for (const [luid, fields] of Object.entries(field.sets)) {
      if (!isLuid(luid)) {
        context.report(`.sets[${JSON.stringify(luid)}]`, 'is not a LUID', 'Use a-z, 0-9 and _ only.');
      }
      context.set(`.sets.${luid}`, luid, fields);
    }
  },
  schema: (field, context) => {
    const known = (value: unknown) =>
      context.strict && Array.isArray(value)
        ? value.filter((entry) => !isBlock(entry) || Object.hasOwn(field.sets, entry.luid))
        : value;
    return z.preprocess(known, listOfBlocks(field, context));
  },
  undeclaredSets: (field, value) => {
    const blocks = Array.isArray(value) ? value : [];
    const luids = blocks.flatMap((block) =>
      isRecord(block) && typeof block.luid === 'string' ? [block.luid] : [],
    );
    return luids.filter((luid) => !Object.hasOwn(field.sets, luid));
  },
  mapGroups: (field, value, change) =>
    mapList(value, (entry, index) => {
      const set = isBlock(entry) && Object.hasOwn(field.sets, entry.luid) && field.sets[entry.luid];
      if (!isBlock(entry) || !set) return entry;
      const fields = change(`[${index}].fields`, set, entry.fields, entry.luid);
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

/** Blocks of undeclared sets pass through. */
function listOfBlocks(field: CombinationField, context: SchemaContext): z.ZodType {
  const schemas = Object.entries(field.sets).map(
    ([luid, set]) => [luid, z.looseObject({ luid: z.literal(luid), fields: context.fields(set) })] as const,
  );
  const blocks = new Map<string, z.ZodType>(schemas);
  const block = dynamicSchema((value) => {
    if (!isBlock(value)) return expected('{ luid, fields }')({ input: value });
    return blocks.get(value.luid);
  });
  return z.array(block, { error: expected('a list of { luid, fields }') });
}

/** Like `map`, but returns the list itself if no entry changed. */
function mapList(value: unknown, change: (entry: unknown, index: number) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const changed = value.map(change);
  return changed.some((entry, index) => entry !== value[index]) ? changed : value;
}
