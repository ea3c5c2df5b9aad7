import * as z from 'zod';
import { type FieldBase, type FieldsBase, isEmpty } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { parseGroup } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import { getOrCreate } from '../get-or-create.ts';
import { badRequest } from '../http/http-error.ts';
import type { SeedKey } from '../state/seed-types.ts';
import type { State } from '../state/state.ts';

/** What the values of a request are checked against. */
export interface ValueContext {
  readonly state: State;
  readonly key: SeedKey;
  readonly flexibleText: 'accept' | 'refuse';
  /** Converts flexible text from the format of the request to HTML. */
  readonly toHtml: (text: string) => string;
  readonly truncateTime: (time: number) => number;
}

/** Parses the values of one language (§4.10). Throws a 400 for invalid ones. */
export function parseValues(fields: FieldsBase, values: unknown, context: ValueContext): Values {
  return parseGroup(fields, values, 'fields', {
    refuse: () => {
      throw badRequest();
    },
    time: context.truncateTime,
    html: context.toHtml,
    check: (field, value) => {
      if (!hasValidShape(field, value) || !isAllowed(field, value, context)) throw badRequest();
    },
  });
}

const schemas = new WeakMap<FieldBase, z.ZodType>();

/** §4.10: checks the JSON type only. The fields of a group are checked one by one. */
function hasValidShape(field: FieldBase, value: unknown): boolean {
  const { write } = fieldTypeOf(field);
  // §4.5: a multi select cannot be written, only emptied.
  if (!write) return isEmpty(value);
  const schema = getOrCreate(schemas, field, () => write(field, { fields: () => z.looseObject({}) }));
  return schema.safeParse(value).success;
}

/** Whether the space accepts a value of a valid shape: links must have a target. */
function isAllowed(field: FieldBase, value: unknown, { state, key, flexibleText }: ValueContext): boolean {
  const { isWritable } = behaviourOf(field);
  if (!isWritable) return true;
  return isWritable(field, value, {
    flexibleText: flexibleText === 'accept',
    hasMedia: (id) => state.media.get(id as number)?.archived === false,
    modelOf: (id) => {
      const target = state.findForAnyKey(id);
      return target && (!key.spaces || key.spaces.includes(target.space)) ? target.model : undefined;
    },
  });
}
