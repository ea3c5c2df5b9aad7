import { SYSTEM_TIMES, type WireContent } from '../contract/content.ts';
import { parseInstant } from '../contract/instant.ts';
import { LuidConfigError } from '../errors.ts';
import type { ModelMap } from '../models/types.ts';

/** Field types whose values have an order. */
const SORTABLE = ['text', 'multiline', 'boolean', 'select', 'datetime'];

/** Compares items by fields or system properties, `-` for descending; equal ones by id, so that it is one order. */
export function compileOrder(
  models: ModelMap,
  model: string,
  order: string | readonly string[],
): (a: WireContent, b: WireContent) => number {
  const terms = (typeof order === 'string' ? order.split(',') : order).map((term) => {
    const descending = term.startsWith('-');
    const luid = descending ? term.slice(1) : term;
    return { luid, sign: descending ? -1 : 1, isTime: timeOrNot(models, model, luid) };
  });
  return (a, b) => {
    for (const { luid, sign, isTime } of terms) {
      const difference = compare(keyOf(a[luid], isTime), keyOf(b[luid], isTime));
      if (difference !== 0) return difference * sign;
    }
    return a._id - b._id;
  };
}

function timeOrNot(models: ModelMap, model: string, luid: string): boolean {
  if ((SYSTEM_TIMES as readonly string[]).includes(luid)) return true;
  if (['_id', '_model', '_title', '_status', '_space'].includes(luid)) return false;
  const fields = models[model] ?? {};
  const type = Object.hasOwn(fields, luid) ? fields[luid]?.type : undefined;
  if (type && SORTABLE.includes(type)) return type === 'datetime';
  throw new LuidConfigError(`order: ${luid} is no field of ${model} that has an order`, {
    model,
    field: luid,
    hint: 'Use a text, select, boolean or datetime field, or a system property.',
  });
}

function keyOf(value: unknown, isTime: boolean): string | number | undefined {
  if (isTime) return typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What is empty comes last. */
function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}
