import { parseHttpUrl } from '../../client/http/parse-http-url.ts';
import { LuidConfigError } from '../../shared/errors.ts';

/** The URL of the service in canonical form. Throws `LuidConfigError`, without showing a password. */
export function serviceUrl(given: string): string {
  return parseHttpUrl('baseUrl', 'LUID_BASE_URL', given.trim());
}

/** Whether `serviceUrl` accepts it. Only then may it be shown: a rejected URL may contain a password. */
export function isServiceUrl(given: string): boolean {
  try {
    serviceUrl(given);
    return true;
  } catch (error) {
    if (!LuidConfigError.is(error)) throw error;
    return false;
  }
}
