import { parseHttpUrl } from '../../client/http/parse-http-url.ts';
import { LuidConfigError } from '../../errors.ts';

/** The URL of the service in its canonical form. Throws `LuidConfigError`, which never shows a password. */
export function serviceUrl(given: string): string {
  return parseHttpUrl('baseUrl', 'LUID_BASE_URL', given.trim());
}

/** Whether `serviceUrl` accepts it. Only then may it be shown: what is refused may hold a password. */
export function isServiceUrl(given: string): boolean {
  try {
    serviceUrl(given);
    return true;
  } catch (error) {
    if (!LuidConfigError.is(error)) throw error;
    return false;
  }
}
