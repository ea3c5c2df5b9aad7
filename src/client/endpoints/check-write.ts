import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import {
  anything,
  boolean,
  checkOptions,
  either,
  literal,
  type OptionRules,
  showValue,
  string,
} from '../../shared/options.ts';
import { printable } from '../../shared/printable.ts';

const REQUEST = { signal: anything };
const WRITES = writeRules();

/* @__NO_SIDE_EFFECTS__ */
function writeRules() {
  const fields = { expected: 'an object of values by field', accepts: isRecord };
  const languages = {
    expected: 'an object of fields by language',
    accepts: everyValue((data) => isRecord(data)),
  };
  const texts = {
    expected: 'an object of strings by language',
    accepts: everyValue((text) => typeof text === 'string'),
  };
  const patch = { fields, languages, published: boolean, space: string };
  const replace = { ...patch, textFormat: either(literal('portable_html'), literal('markdown')) };
  return {
    create: replace,
    replace,
    patch,
    duplicate: { space: string },
    upload: { name: string, alt: either(string, texts) },
    delete: {},
  } satisfies Record<string, OptionRules>;
}

/** Properties that are `undefined` are ignored, as options are. */
function everyValue(accepts: (value: unknown) => boolean) {
  return (value: unknown) =>
    isRecord(value) && Object.values(value).every((one) => one === undefined || accepts(one));
}

/** Throws for input and options of a write that it does not have: ignoring them could change other data. */
export function checkWrite(name: keyof typeof WRITES, input: object, options: object | undefined): void {
  checkOptions(name, input, WRITES[name]);
  checkOptions(name, options ?? {}, REQUEST);
}

/**
 * Throws for a number or date that JSON turns into `null`, which would empty its field. `place` is the method and the
 * input that the values are of, `patch: fields`. They must not be circular.
 */
export function checkValues(place: string, values: unknown, model: string, path = ''): void {
  if (isLost(values)) {
    const shown = values instanceof Date ? 'an invalid date' : showValue(values);
    throw new LuidConfigError(`${printable(place + path, 120)} is ${shown}, which would be written as null`, {
      model,
      field: path.slice(1),
      hint: 'Check where the value comes from. Pass null to empty the field.',
    });
  }
  // What has a `toJSON` decides for itself what is sent.
  if (typeof values !== 'object' || values === null || 'toJSON' in values) return;
  for (const [key, value] of Object.entries(values)) {
    checkValues(place, value, model, Array.isArray(values) ? `${path}[${key}]` : `${path}.${key}`);
  }
}

function isLost(value: unknown): boolean {
  return typeof value === 'number'
    ? !Number.isFinite(value)
    : value instanceof Date && Number.isNaN(value.getTime());
}
