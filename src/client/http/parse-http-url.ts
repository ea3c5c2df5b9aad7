import { LuidConfigError } from '../../errors.ts';
import { showValue } from '../../options.ts';

/**
 * A configured URL in its one canonical form, without a slash at its end. Line breaks, user names and passwords,
 * queries and fragments are refused or removed: none of them belongs in a URL that others are appended to. No
 * message here shows a password.
 */
export function httpUrl(option: string, variable: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const example = option === 'baseUrl' ? 'https://…/v1' : 'https://…';
  const hint = `Correct the option or ${variable}: ${example}.`;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new LuidConfigError(`${option} must be an http(s) URL, got ${showValue(withoutUser(value))}`, {
      hint,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new LuidConfigError(`${option} must not hold a user name or a password`, {
      hint: `${hint} The service is authenticated by its API key alone.`,
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new LuidConfigError(`${option} must not have a query or a fragment`, {
      hint,
    });
  }
  return url.href.replace(/\/+$/, '');
}

/** What stands before the last @ may be a password, also in what is not a URL. */
function withoutUser(text: string): string {
  return text.includes('@') ? `…${text.slice(text.lastIndexOf('@'))}` : text;
}
