import { LuidError } from '../shared/errors.ts';
import { localize } from '../shared/messages/language.ts';

/**
 * An error to throw into Astro, in the language of the user, without `hint`. Astro prints `hint` below the message, except
 * for errors that it wraps, whose `hint` it drops. So the messages of this package end with the hint, and Astro must not
 * add it. Astro may assign one: to an error of astro.config, for instance.
 */
export function errorForAstro(error: unknown): unknown {
  if (LuidError.is(error)) {
    Object.defineProperty(error, 'hint', { value: undefined, writable: true, configurable: true });
    error.message = localize(error.message);
  }
  return error;
}
