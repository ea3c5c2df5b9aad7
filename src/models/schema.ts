import type * as astro from 'astro/zod';
import * as z from 'zod';
import { STATUSES } from '../contract/content.ts';
import { LuidConfigError } from '../shared/errors.ts';
import { checkOptions, wholeNumber } from '../shared/options.ts';
import { suggest } from '../shared/suggest.ts';
import { instant } from './field-types/datetime.ts';
import {
  expected,
  type FieldBase,
  type FieldsBase,
  isEmpty,
  type SchemaContext,
} from './field-types/field-type.ts';
import { fieldTypeOf } from './field-types/index.ts';
import { declaredFields } from './fields-of.ts';
import type { Content, Depth, ModelMap } from './types.ts';

export const MAX_DEPTH = 10;

/**
 * The zod object of a model at a depth. Its output type has the declared fields only, so that a misspelt field is a
 * compile error. It is typed by Astro's copy of zod, whose version may differ from ours: at run time two versions work
 * together, but their static types are incompatible.
 */
export type ModelSchema<M extends ModelMap, N extends keyof M & string, D extends Depth> = astro.ZodObject<
  Shape<Content<M, N, D>>,
  astro.core.$strip
>;

type Shape<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? astro.ZodOptional<astro.ZodType<Exclude<T[K], undefined>>>
    : astro.ZodType<T[K]>;
};

export interface Schemas<M extends ModelMap> {
  /** The zod object of a model. References are content down to `depth` (default 1), then ids. */
  schema<N extends keyof M & string, D extends Depth = 1>(
    model: N,
    options?: { depth?: D },
  ): ModelSchema<M, N, D>;
}

/** Schemas for a model map that has been checked. Each is built once, on first use. */
export function createSchemas<M extends ModelMap>(models: M, options: { strict?: boolean } = {}): Schemas<M> {
  const strict = options.strict ?? false;
  const built = new Map<string, z.ZodObject>();

  function model(name: string, depth: number): z.ZodObject | undefined {
    const fields = declaredFields(models, name);
    if (!fields) return undefined;
    const key = `${depth} ${name}`;
    const known = built.get(key);
    if (known) return known;
    const context: SchemaContext = {
      depth,
      strict,
      fields: (group) => object(group, context),
      target: (target) => (depth === 0 ? undefined : model(target, depth - 1)),
    };
    const schema = object(fields, context).extend(system(name));
    built.set(key, schema);
    return schema;
  }

  return {
    schema(name, options = {}) {
      checkOptions(`schema(${JSON.stringify(name)})`, options, { depth: wholeNumber(0, MAX_DEPTH) });
      const { depth = 1 } = options;
      const schema = model(name, depth);
      if (!schema) {
        throw new LuidConfigError(`schema(${JSON.stringify(name)}): no such model is declared`, {
          model: name,
          hint: `${suggest(name, Object.keys(models))}Use one of ${Object.keys(models).join(', ')}, or declare it in \`models\`.`,
        });
      }
      return schema as never;
    },
  };
}

/** A group of fields. Undeclared properties pass through, or are removed if strict. */
function object(fields: FieldsBase, context: SchemaContext): z.ZodObject {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([luid, field]) => [luid, fieldSchema(field, context)]),
  );
  const error = expected('an object of fields');
  return context.strict ? z.object(shape, { error }) : z.looseObject(shape, { error });
}

/** A field: any form of empty value becomes the field type's; others are parsed by its schema. */
function fieldSchema(field: FieldBase, context: SchemaContext): z.ZodType {
  const type = fieldTypeOf(field);
  const filled = type.schema(field, context);
  if (field.required) return z.preprocess((value) => (isEmpty(value) ? null : value), filled);
  return z.preprocess(
    (value) => (isEmpty(value) ? type.empty() : value),
    type.empty() === null ? filled.nullable() : filled,
  );
}

/** §2.1. The service always sends these, so a missing one is an error. */
function system(model: string): Record<string, z.ZodType> {
  const timeOrNull = () => z.preprocess((value) => (isEmpty(value) ? null : value), instant().nullable());
  return {
    _id: z.int({ error: expected('a content id') }),
    _model: z.literal(model, { error: expected(`content of ${model}`) }),
    _title: z.preprocess((value) => (isEmpty(value) ? '' : value), z.string({ error: expected('a string') })),
    _created_at: instant(),
    _updated_at: instant(),
    _published_at: timeOrNull(),
    _last_published_at: timeOrNull(),
    _status: z.enum(STATUSES, { error: expected(`one of ${STATUSES.join(', ')}`) }),
    _space: z.string({ error: expected('a space LUID') }).optional(),
    _prev: z.unknown().optional(),
    _next: z.unknown().optional(),
    _langs: languages().optional(),
  };
}

function languages(): z.ZodType {
  const error = expected('{ current, available }');
  const key = z.string({ error });
  return z.looseObject({ current: key, available: z.array(key, { error }) }, { error });
}
