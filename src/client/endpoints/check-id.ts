import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';

/** Throws unless the value can be an id. `method` is the method of the client that it was passed to. */
export function checkId(method: string, id: number): void {
  if (Number.isSafeInteger(id) && id > 0) return;
  throw new LuidConfigError(`${method}: the id must be a positive whole number, got ${showValue(id)}`);
}
