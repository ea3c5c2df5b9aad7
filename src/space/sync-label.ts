import type { Logger } from '../logger.ts';
import type { Which } from './replica-options.ts';

/** `(en, drafts)`, or nothing for published content of a space without languages. */
export function parenthesis(langs: readonly (string | undefined)[], drafts: boolean): string {
  const parts = [...langs.filter((lang) => lang !== undefined), ...(drafts ? ['drafts'] : [])];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** What a copy is of, for lines about its sync. */
export function labelOf(
  { settings: { languages } }: { readonly settings: { readonly languages?: { main: string } | undefined } },
  { lang, drafts }: Which,
): string {
  return `Content${parenthesis([lang ?? languages?.main], drafts)}`;
}

/** A logger whose lines begin with what they are about. */
export function labelled(logger: Logger, label: string): Logger {
  return {
    info: (message) => logger.info(`${label}: ${message}`),
    warn: (message) => logger.warn(`${label}: ${message}`),
  };
}
