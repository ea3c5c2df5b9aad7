import { isEmpty, isRecord } from '../../models/field-types/field-type.ts';
import { printable } from '../../printable.ts';

const MOST_VALUES = 5;

/**
 * Why a field does not fit, judged by the values that do not and by what was expected: all of one shape
 * mean that the field is declared as something else than it is. `undefined` where nothing can be said.
 */
export function likelyCause(values: readonly unknown[], message: string): string | undefined {
  const filled = values.filter((value) => !isEmpty(value));
  if (filled.length === 0) return undefined;
  const looks = new Set(filled.map(looksLike));
  const [look] = looks;
  if (looks.size !== 1 || look === undefined) return undefined;
  if (look === STRING) return describeStrings(filled as string[], message);
  // A reference that leads to another model is a reference.
  return look === REFERENCE && message.startsWith('expected content') ? undefined : `looks like ${look}`;
}

const STRING = 'a string';

/** What a value of a response may be the value of (§2.2). */
function looksLike(value: unknown): string | undefined {
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return 'true or false: `field.boolean()`';
  if (typeof value === 'number') return Number.isInteger(value) ? REFERENCE : undefined;
  if (Array.isArray(value)) return looksLikeList(value);
  if (!isRecord(value)) return undefined;
  if (typeof value._id === 'number' && typeof value._model === 'string') return REFERENCE;
  if (typeof value.url === 'string' && 'alt' in value) return 'media: `field.media()`';
  return 'a field set: `field.fieldSet({ … })`';
}

const REFERENCE = 'a reference: `field.reference()`';

function looksLikeList(list: readonly unknown[]): string | undefined {
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
  const shown = distinct.slice(0, MOST_VALUES).map((value) => printable(JSON.stringify(value), 40));
  const more = distinct.length > MOST_VALUES ? ' and others' : '';
  return `found ${shown.join(', ')}${more}`;
}
