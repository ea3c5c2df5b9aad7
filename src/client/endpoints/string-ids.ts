import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { REFERENCE_TYPES } from '../../models/field-types/reference-types.ts';
import type { ModelMap } from '../../models/types.ts';

export interface StringIds {
  /** Some id was a string. */
  found: boolean;
  /** What is wrong, if an id is larger than JavaScript numbers can hold. */
  tooLarge?: string;
}

/** What of a definition decides where references are. */
interface Definition {
  readonly type?: string;
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

/**
 * Replaces ids that a service sends as strings of digits by their numbers, in JSON that was parsed just now:
 * `_id` of all content, however deep it is embedded, and what the models say are references. A string without
 * a model that declares it stays a string, since it may be text.
 */
export function numberIds(json: unknown, models: ModelMap = {}): StringIds {
  const ids: StringIds = { found: false };

  function visit(value: unknown, definition: Definition): void {
    const { fields, sets } = definition;
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) for (const one of value) visit(one, definition);
    else if (sets) visit(own(value, 'fields'), { fields: own(sets, own(value, 'luid')) });
    else visitProperties(value, fields);
  }

  /** `group`: the fields of a repeat, field set or block. Absent: `owner` may be content. */
  function visitProperties(owner: object, group: FieldsBase | undefined): void {
    const fields = group ?? own(models, own(owner, '_model'));
    for (const [property, value] of Object.entries(owner)) {
      const definition: Definition = own(fields, property) ?? {};
      if (property === '_id' ? !group : REFERENCE_TYPES.includes(definition.type)) {
        const id = asId(value);
        if (typeof id === 'number' && Math.abs(id) > Number.MAX_SAFE_INTEGER)
          ids.tooLarge ??= `${property} is ${String(value).slice(0, 80)}, larger than an id can be`;
        if (id !== value) {
          ids.found = true;
          // Plain assignment to `__proto__`, which is a valid LUID, would have no effect.
          Object.defineProperty(owner, property, { value: id });
        }
      }
      visit(value, definition);
    }
  }

  visit(json, {});
  return ids;
}

/** The number that a string of digits is; anything else is returned as it is. */
export function asId(value: unknown): unknown {
  return typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value;
}

// biome-ignore lint/suspicious/noExplicitAny: what JSON and model maps hold is looked at by whoever calls
function own(record: object | undefined, name: unknown): any {
  return record && typeof name === 'string' && Object.hasOwn(record, name)
    ? record[name as never]
    : undefined;
}
