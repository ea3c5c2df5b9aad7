import type { Logger } from '../shared/logger.ts';

/** The content of a space as one API key shows it, in one language. */
export interface ContentScope {
  readonly drafts: boolean;
  /** Absent: the main language. */
  readonly lang: string | undefined;
}

/** Equal for equal scopes. */
export function scopeKey({ drafts, lang }: ContentScope): string {
  return `${drafts} ${lang ?? ''}`;
}

/** ` (en, drafts)`, or an empty string for published content of a space without languages. */
export function scopeSuffix(langs: readonly (string | undefined)[], drafts: boolean): string {
  const parts = [...langs.filter((lang) => lang !== undefined), ...(drafts ? ['drafts'] : [])];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** A logger for the sync of a scope, whose lines begin with `Content (en):`. */
export function scopeLogger(logger: Logger, { drafts, lang }: ContentScope, mainLang?: string): Logger {
  const label = `Content${scopeSuffix([lang ?? mainLang], drafts)}`;
  return {
    info: (message) => logger.info(`${label}: ${message}`),
    warn: (message) => logger.warn(`${label}: ${message}`),
  };
}
