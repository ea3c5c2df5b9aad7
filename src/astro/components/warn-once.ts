import { printable } from '../../printable.ts';

const said = new Set<string>();

/** A warning that a whole build logs once, however many pages have cause for it. */
export function warnOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  console.warn(`[astro-luid] ${printable(message)}`);
}
