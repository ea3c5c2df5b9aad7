import * as z from 'zod';
import { type FieldBase, type FieldsBase, isEmpty } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { parseGroup } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import { badRequest } from '../http/refusal.ts';
import type { SeedKey } from '../state/seed.ts';
import type { State } from '../state/state.ts';

/** What the values of a request are judged by. */
export interface Judging {
  readonly state: State;
  readonly key: SeedKey;
  readonly flexibleText: 'accept' | 'refuse';
  /** From the input format of flexible text to HTML. */
  readonly html: (text: string) => string;
  readonly time: (time: number) => number;
}

/** Takes in the values of one language (§4.10), or refuses the request. */
export function takeWritten(fields: FieldsBase, values: unknown, judging: Judging): Values {
  return parseGroup(fields, values, 'fields', {
    refuse: () => {
      throw badRequest();
    },
    time: judging.time,
    html: judging.html,
    judge: (field, value) => {
      if (!isSound(field, value) || !isPossible(field, value, judging)) throw badRequest();
    },
  });
}

const schemas = new WeakMap<FieldBase, z.ZodType>();

/** §4.10: the shape alone. Groups inside are judged field by field. */
function isSound(field: FieldBase, value: unknown): boolean {
  const { write } = fieldTypeOf(field);
  // §4.5: a multi select cannot be written; that it is empty may be said.
  if (!write) return isEmpty(value);
  let schema = schemas.get(field);
  if (!schema) {
    schema = write(field, { fields: () => z.looseObject({}) });
    schemas.set(field, schema);
  }
  return schema.safeParse(value).success;
}

/** Whether this space can hold it. */
function isPossible(field: FieldBase, value: unknown, { state, key, flexibleText }: Judging): boolean {
  const { isWritable } = behaviourOf(field);
  if (!isWritable) return true;
  return isWritable(field, value, {
    flexibleText: flexibleText === 'accept',
    hasMedia: (id) => state.media.get(id as number)?.archived === false,
    modelOf: (id) => {
      const target = state.hidden(id);
      return target && (!key.spaces || key.spaces.includes(target.space)) ? target.model : undefined;
    },
  });
}
