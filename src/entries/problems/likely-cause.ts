import { isEmpty, isRecord } from '../../models/field-types/field-type.ts';
import { printable } from '../../shared/printable.ts';

const MAX_VALUES = 5;
const MAX_VALUE_LENGTH = 40;

/**
 * Why the values of a field do not match its type. If all invalid values have one shape, the field is probably
 * declared with the wrong type. `undefined` if there is no such pattern.
 */
export function likelyCause(values: readonly unknown[], message: string): string | undefined {
  const filled = values.filter((value) => !isEmpty(value));
  if (filled.length === 0) return undefined;
  const shapes = new Set(filled.map(shapeOf));
  const [shape] = shapes;
  if (shapes.size !== 1 || shape === undefined) return undefined;
  if (shape === STRING) return describeStrings(filled as string[], message);
  // A reference to content of another model is declared with the right type.
  return shape === REFERENCE && message.startsWith('expected content') ? undefined : `looks like ${shape}`;
}

const STRING = 'a string';

/** The field type that has such values (§2.2). */
function shapeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return 'true or false: `field.boolean()`';
  if (typeof value === 'number') return Number.isInteger(value) ? REFERENCE : undefined;
  if (Array.isArray(value)) return shapeOfList(value);
  if (!isRecord(value)) return undefined;
  if (typeof value._id === 'number' && typeof value._model === 'string') return REFERENCE;
  if (typeof value.url === 'string' && 'alt' in value) return 'media: `field.media()`';
  return 'a field set: `field.fieldSet({ … })`';
}

const REFERENCE = 'a reference: `field.reference()`';

function shapeOfList(list: readonly unknown[]): string | undefined {
  if (list.every((one) => typeof one === 'string')) return 'a list of option values: `field.multiSelect()`';
  if (!list.every(isRecord)) return undefined;
  return list.every(({ luid, fields }) => typeof luid === 'string' && isRecord(fields))
    ? 'a list of blocks: `field.combination({ … })`'
    : 'a list of groups: `field.repeat({ … })`';
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function describeStrings(values: readonly string[], message: string): string {
  if (!message.includes('ISO 8601') && values.every((value) => TIME.test(value)))
    return 'looks like a time: `field.datetime()`';
  const distinct = [...new Set(values)];
  const shown = distinct
    .slice(0, MAX_VALUES)
    .map((value) => printable(JSON.stringify(value), MAX_VALUE_LENGTH));
  const more = distinct.length > MAX_VALUES ? ' and others' : '';
  return `found ${shown.join(', ')}${more}`;
}
