import { processVariable } from '../process.ts';
import { language, localize } from './language.ts';

// Apart from language.ts, so that bundles for browsers and edge servers do not contain the translations.

/** Whether messages are in Japanese: by `LUID_LANG`, else by the locale. */
export function isJapanese(variable: (name: string) => string | undefined = processVariable): boolean {
  const chosen = ['LUID_LANG', 'LC_ALL', 'LANG'].map(variable).find((value) => value);
  return /^ja(?![a-z])/i.test(chosen ?? '');
}

/** Loads the translations for the language of the user, if there are some. Until then, messages are in English. */
export async function loadLanguage(): Promise<void> {
  language().translate = isJapanese() ? (await import('./translate.ts')).translate : undefined;
}

interface AnyLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that translates; the same one if messages are in English. */
export function localizedLogger<L extends AnyLogger>(logger: L): L {
  if (!language().translate) return logger;
  return Object.assign(Object.create(logger) as L, {
    info: (message: string) => logger.info(localize(message)),
    warn: (message: string) => logger.warn(localize(message)),
    error: (message: string) => logger.error(localize(message)),
  });
}
