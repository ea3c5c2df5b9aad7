import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';

/**
 * A configured URL in canonical form, without a trailing slash. Throws unless paths can be appended to
 * it: no user name, password, query or fragment. No message contains a password.
 */
export function parseHttpUrl(option: string, variable: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const hint = `Correct the option or ${variable}: https://…${option === 'baseUrl' ? '/v1' : ''}.`;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // Without a protocol it may be anything: the key, if the two options are swapped.
    const shown = value.includes('://') ? showValue(withoutUser(value)) : 'a string without ://';
    throw new LuidConfigError(`${option} must be an http(s) URL, got ${shown}`, { hint });
  }
  if (url.username !== '' || url.password !== '') {
    throw new LuidConfigError(`${option} must not contain a user name or password`, { hint });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new LuidConfigError(`${option} must not contain a query or fragment`, { hint });
  }
  return url.href.replace(/\/+$/, '');
}

/** Everything before the last @ may be a password, even if the value is not a valid URL. */
function withoutUser(value: string): string {
  return value.includes('@') ? `…${value.slice(value.lastIndexOf('@'))}` : value;
}
