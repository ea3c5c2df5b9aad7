import { SYSTEM_PROPERTIES, SYSTEM_TIMES, type WireContent } from '../contract/content.ts';
import { parseInstant } from '../contract/instant.ts';
import { LuidConfigError } from '../errors.ts';
import type { Fields, ModelMap } from '../models/types.ts';
import { showValue } from '../options.ts';
import { suggest } from '../suggest.ts';

/** Field types whose values have an order. */
const SORTABLE = ['text', 'multiline', 'boolean', 'select', 'datetime'];

/** Compares items by fields or system properties, `-` for descending, and then by id. */
export function compileOrder(
  models: ModelMap,
  model: string,
  order: string | readonly string[],
  place = 'order',
): (a: WireContent, b: WireContent) => number {
  const fields = models[model] ?? {};
  checkOrder(models, model, order, place);
  const terms = termsOf(order).map(({ luid, sign }) => {
    const type = typeOf(fields, luid);
    if (type !== undefined && !SORTABLE.includes(type)) {
      const sortable = Object.keys(fields).filter((name) => SORTABLE.includes(fields[name]?.type ?? ''));
      throw new LuidConfigError(`${place} names ${showValue(luid)}, whose type ${type} has no order`, {
        model,
        field: luid,
        hint: `Use one of ${[...sortable, ...SYSTEM_PROPERTIES].join(', ')}.`,
      });
    }
    return { luid, sign, isTime: type === 'datetime' || (SYSTEM_TIMES as readonly string[]).includes(luid) };
  });
  return (a, b) => {
    for (const { luid, sign, isTime } of terms) {
      const difference = compare(keyOf(a[luid], isTime), keyOf(b[luid], isTime));
      if (difference !== 0) return difference * sign;
    }
    return a._id - b._id;
  };
}

/** Throws if the order names neither a field of the model nor a system property. */
export function checkOrder(
  models: ModelMap,
  model: string,
  order: string | readonly string[],
  place = 'order',
): void {
  const known = [...Object.keys(models[model] ?? {}), ...SYSTEM_PROPERTIES];
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

/** The type of a field; `undefined` for system properties, which hide fields of the same name. */
function typeOf(fields: Fields, luid: string): string | undefined {
  if ((SYSTEM_PROPERTIES as readonly string[]).includes(luid)) return undefined;
  return fields[luid]?.type;
}

function keyOf(value: unknown, isTime: boolean): string | number | undefined {
  if (isTime) return typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Empty values come last. */
function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}
