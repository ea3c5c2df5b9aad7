import type { Language } from '../../languages.ts';

/** `Blocks` passes nothing but the block's fields; the language of the page is in its URL. */
export function languageOf({ url }: { url: URL }): Language {
  return /^\/en(\/|$)/.test(url.pathname) ? 'en' : 'ja';
}
