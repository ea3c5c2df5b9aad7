import { LuidConfigError } from '../errors.ts';
import { hashText } from '../hash-text.ts';

/** The `cacheKey` of a page with these entries, for Astro's incremental builds. It changes with any of their digests. */
export function cacheKey(
  ...entries: readonly { readonly id: string; readonly digest?: string | number }[]
): string {
  const digests = entries.map(({ id, digest }) => {
    if (digest !== undefined) return `${id} ${digest}`;
    throw new LuidConfigError(`cacheKey: the entry ${JSON.stringify(id)} has no digest`, {
      hint: 'Pass entries of collections that astro-luid loads.',
    });
  });
  return `${digests.length}-${hashText(digests.join('\n'))}`;
}
