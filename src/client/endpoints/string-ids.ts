import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { REFERENCE_TYPES } from '../../models/field-types/reference-types.ts';
import type { ModelMap } from '../../models/types.ts';

export interface StringIds {
  /** Whether an id was a string. */
  found: boolean;
  /** A message, if an id is larger than a JavaScript number can be. */
  tooLarge?: string;
}

/** The parts of a field definition that references depend on: without zod, which the client must not import. */
interface Definition {
  readonly type?: string;
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

const NO_DEFINITION: Definition = {};

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Converts ids that the service sends as strings to numbers, in place: the `_id` of all content, embedded
 * content included, and references that the models declare. Other strings may be text and are not changed.
 */
export function convertStringIds(json: unknown, models: ModelMap = {}): StringIds {
  const ids: StringIds = { found: false };

  function visit(value: object, definition: Definition): void {
    const { fields, sets } = definition;
    if (Array.isArray(value)) {
      for (const element of value) if (isNested(element)) visit(element, definition);
    } else if (sets) {
      const inner: unknown = ownValue(value, 'fields');
      if (isNested(inner)) visit(inner, { fields: ownValue(sets, ownValue(value, 'luid')) });
    } else visitProperties(value, fields);
  }

  /** `group` are the fields of a repeat, field set or block. Without it, `owner` may be content. */
  function visitProperties(owner: object, group: FieldsBase | undefined): void {
    const fields: FieldsBase | undefined = group ?? ownValue(models, ownValue(owner, '_model'));
    // Every item of every response comes through here: a loop without entries is several times as fast.
    for (const property in owner) {
      const value: unknown = owner[property as never];
      const definition: Definition = ownValue(fields, property) ?? NO_DEFINITION;
      if (property === '_id' ? !group : REFERENCE_TYPES.includes(definition.type)) {
        const id = parseId(value);
        if (typeof id === 'number' && Math.abs(id) > Number.MAX_SAFE_INTEGER)
          ids.tooLarge ??= `${property} is ${String(value).slice(0, 80)}, which is too large for an id`;
        if (id !== value) {
          ids.found = true;
          // Plain assignment to `__proto__`, which is a valid LUID, would have no effect.
          Object.defineProperty(owner, property, { value: id });
        }
      }
      if (isNested(value)) visit(value, definition);
    }
  }

  if (isNested(json)) visit(json, NO_DEFINITION);
  return ids;
}

/** The number in a string of digits; any other value is returned unchanged. */
export function parseId(value: unknown): unknown {
  return typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value;
}

// biome-ignore lint/suspicious/noExplicitAny: the callers check what they read
function ownValue(record: object | undefined, name: unknown): any {
  return record && typeof name === 'string' && Object.hasOwn(record, name)
    ? record[name as never]
    : undefined;
}
