import { SYSTEM_PROPERTIES, SYSTEM_TIMES, type WireContent } from '../../contract/content.ts';
import type { FieldBase, FieldType } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { timeOrderKey, valueOrderKey } from '../../models/order-keys.ts';
import type { Fields, ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { suggest } from '../../shared/suggest.ts';

/** What an order compares of an item, in this sequence, and last its id. Equal after it was stored as JSON. */
export type OrderKeys = readonly (string | number | null)[];

/** Compares items by fields or system properties, `-` for descending, and then by id. */
export interface Order {
  /** The fields and system properties that decide it. */
  readonly fields: readonly string[];
  readonly keysOf: (item: WireContent) => OrderKeys;
  readonly compare: (a: OrderKeys, b: OrderKeys) => number;
}

export function compileOrder(
  models: ModelMap,
  model: string,
  order: string | readonly string[],
  place = 'order',
): Order {
  const terms = compileTerms(models, model, order, place);
  return {
    fields: terms.map(({ luid }) => luid),
    keysOf: (item) => [...terms.map(({ luid, keyOf }) => keyOf(item[luid]) ?? null), item._id],
    compare(a, b) {
      for (const [index, { sign }] of terms.entries()) {
        const difference = compare(a[index], b[index]);
        if (difference !== 0) return difference * sign;
      }
      return compare(a[terms.length], b[terms.length]);
    },
  };
}

function compileTerms(models: ModelMap, model: string, order: string | readonly string[], place: string) {
  const fields = fieldsOf(models, model);
  checkOrder(models, model, order, place);
  return termsOf(order).map(({ luid, sign }) => {
    const keyOf = orderKeyOf(fields, luid);
    if (!keyOf) {
      const isSortable = ([, field]: [string, FieldBase]) => fieldTypeOf(field).orderKey;
      const sortable = Object.entries(fields)
        .filter(isSortable)
        .map(([name]) => name);
      throw new LuidConfigError(
        `${place} names ${showValue(luid)}, whose type ${fields[luid]?.type} has no order`,
        {
          model,
          field: luid,
          hint: `Use one of ${[...sortable, ...SYSTEM_PROPERTIES].join(', ')}.`,
        },
      );
    }
    return { luid, sign, keyOf };
  });
}

/** Throws if the order names neither a field of the model nor a system property. */
export function checkOrder(
  models: ModelMap,
  model: string,
  order: string | readonly string[],
  place = 'order',
): void {
  const known = [...Object.keys(fieldsOf(models, model)), ...SYSTEM_PROPERTIES];
  const unknown = termsOf(order).find(({ luid }) => !known.includes(luid));
  if (!unknown) return;
  throw new LuidConfigError(`${place} names ${showValue(unknown.luid)}, which is not a field of ${model}`, {
    model,
    field: unknown.luid,
    hint: `${suggest(unknown.luid, known)}Use one of ${known.join(', ')}, with a leading - for descending.`,
  });
}

function termsOf(order: string | readonly string[]) {
  return (typeof order === 'string' ? order.split(',') : order).map((term) =>
    term.startsWith('-') ? { luid: term.slice(1), sign: -1 } : { luid: term, sign: 1 },
  );
}

/** How a system property, which hides a field of the same name, or a field is sorted; `undefined` if it is not. */
function orderKeyOf(fields: Fields, luid: string): FieldType['orderKey'] {
  if ((SYSTEM_TIMES as readonly string[]).includes(luid)) return timeOrderKey;
  if ((SYSTEM_PROPERTIES as readonly string[]).includes(luid)) return valueOrderKey;
  return fields[luid] && fieldTypeOf(fields[luid]).orderKey;
}

/** Empty values come last. */
function compare(a: OrderKeys[number] = null, b: OrderKeys[number] = null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
