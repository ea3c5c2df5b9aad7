import type * as z from 'zod';
import { STATUSES, SYSTEM_NAMES, type WireContent } from '../contract/content.ts';
import { parseDate } from './field-types/datetime.ts';
import { type FieldBase, type FieldsBase, isEmpty } from './field-types/field-type.ts';
import { fieldTypeOf } from './field-types/index.ts';

/**
 * Parses an item exactly as the schema of its model does, if it is certainly valid; `undefined` if only the schema can
 * tell. Several times as fast, and every entry of a load is parsed.
 */
export type QuickParse = (item: WireContent) => WireContent | undefined;

/** The parsed value, or `undefined` if only the schema can tell. */
type ParseValue = (value: unknown) => unknown;

/** `schema` is that of the model's flat items. */
export function createQuickParse(model: string, fields: FieldsBase, schema: z.ZodType): QuickParse {
  const shape = 'shape' in schema ? (schema as z.ZodObject).shape : undefined;
  if (!shape || Object.hasOwn(shape, '__proto__')) return () => undefined;
  const system = systemValues(model);
  const steps = Object.entries(shape).map(([name, inner]) => ({
    name,
    parse: SYSTEM_NAMES.has(name)
      ? (system[name] ?? parserOf(inner))
      : fieldParser(fields[name] as FieldBase, inner),
    isOptional: OPTIONAL.has(name),
  }));
  const isStrict = (schema as z.ZodObject).def.catchall === undefined;
  return (item) => {
    const data: Record<string, unknown> = {};
    let found = 0;
    for (const { name, parse, isOptional } of steps) {
      if (!Object.hasOwn(item, name)) {
        if (isOptional) continue;
        return undefined;
      }
      const value = parse(item[name]);
      if (value === undefined) return undefined;
      data[name] = value;
      found += 1;
    }
    if (isStrict) return data as unknown as WireContent;
    const names = Object.keys(item);
    if (names.length === found) return data as unknown as WireContent;
    for (const name of names)
      if (!Object.hasOwn(shape, name) && name !== '__proto__') data[name] = item[name];
    return data as unknown as WireContent;
  };
}

const OPTIONAL: ReadonlySet<string> = /* @__PURE__ */ new Set(['_space', '_prev', '_next', '_langs']);

/** §2.1. Those that are missing here are parsed by their schemas. */
function systemValues(model: string): { readonly [name: string]: ParseValue } {
  const parseTime = (value: unknown) => (value === null ? null : parseDate(value));
  return {
    _id: (value) => (Number.isSafeInteger(value) ? value : undefined),
    _model: (value) => (value === model ? value : undefined),
    _title: (value) => (typeof value === 'string' ? value : undefined),
    _created_at: parseDate,
    _updated_at: parseDate,
    _published_at: parseTime,
    _last_published_at: parseTime,
    _status: (value) => (STATUSES.includes(value as never) ? value : undefined),
  };
}

/** An empty value becomes that of the field's type, unless the field is required. */
function fieldParser(field: FieldBase, schema: z.core.$ZodType): ParseValue {
  const type = fieldTypeOf(field);
  const { quickParse } = type;
  if (!quickParse) return parserOf(schema);
  return (value) => {
    if (isEmpty(value)) return field.required ? undefined : type.empty();
    return quickParse(field, value);
  };
}

function parserOf(schema: z.core.$ZodType): ParseValue {
  return (value) => (schema as z.ZodType).safeParse(value).data;
}
