import { shareInProcess } from '../process.ts';

/** All copies of the package in a process show messages in one language. See load-language.ts. */
export const language = () =>
  shareInProcess<{ translate?: ((text: string) => string) | undefined }>('language', () => ({}));

/** The message in the language of the user, once that is loaded. */
export function localize(text: string): string {
  return language().translate?.(text) ?? text;
}
