import { createOnce } from '../../shared/logger.ts';
import { printable } from '../../shared/printable.ts';

const once = createOnce();

/** Logs a warning once per process, however many pages cause it. */
export function warnOnce(message: string): void {
  once(message, () => console.warn(`[astro-luid] ${printable(message)}`));
}
