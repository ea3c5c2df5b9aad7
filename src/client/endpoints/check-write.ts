import { LuidConfigError } from '../../errors.ts';
import { showValue } from '../../options.ts';
import { printable } from '../../printable.ts';

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
  if (typeof values !== 'object' || values === null) return;
  for (const [key, value] of Object.entries(values)) {
    checkValues(place, value, model, Array.isArray(values) ? `${path}[${key}]` : `${path}.${key}`);
  }
}

function isLost(value: unknown): boolean {
  return typeof value === 'number'
    ? !Number.isFinite(value)
    : value instanceof Date && Number.isNaN(value.getTime());
}
