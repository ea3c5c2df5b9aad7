import type { WireContent } from '../../contract/content.ts';

/** One problem of one item; compatible with zod's issues. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An item that cannot be shown, and why. */
export interface InvalidItem {
  readonly data: WireContent;
  /** How it does not match its model. */
  readonly issues: readonly Issue[];
  /** Content that it shows, and that cannot be shown. */
  readonly because: readonly InvalidItem[];
  /** It embeds more than an entry may. */
  readonly isTooLarge?: boolean;
}

/** The items that do not match their models, each once: what all others cannot be shown because of. */
export function rootCauses(found: readonly InvalidItem[]): InvalidItem[] {
  const visited = new Set<InvalidItem>();
  const visit = (invalid: InvalidItem) => {
    if (visited.has(invalid)) return;
    visited.add(invalid);
    for (const cause of invalid.because) visit(cause);
  };
  for (const invalid of found) visit(invalid);
  return [...visited].filter(({ issues }) => issues.length > 0);
}
