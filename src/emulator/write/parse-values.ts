import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { parseGroup } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
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
    refuseOtherEmpty: true,
    check: (field, value) => {
      if (!isAllowed(field, value, context)) throw badRequest();
    },
  });
}

/** Whether the space accepts a value: links must have a target. */
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
