import { LuidConfigError } from '../../shared/errors.ts';
import { hashText } from '../../shared/hash-text.ts';

/**
 * The `cacheKey` of a page with these entries, for Astro's incremental builds. It changes with any of their digests, and
 * with any of the keys of lists that are passed as strings: `cacheKey(author, collectionKey(articles, …))`.
 */
export function cacheKey(
  ...parts: readonly (string | { readonly id: string; readonly digest?: string | number })[]
): string {
  const lines = parts.map((part) => {
    if (typeof part === 'string') return JSON.stringify(part);
    const { id, digest } = part;
    if (digest !== undefined) return lineOf(id, digest);
    throw new LuidConfigError(`cacheKey: the entry ${JSON.stringify(id)} has no digest`, {
      hint: 'Pass entries of collections that astro-luid loads.',
    });
  });
  return `${lines.length}-${hashText(lines.join('\n'))}`;
}

/** Unambiguous: an id or digest that could be taken for something else is quoted. */
function lineOf(id: string, digest: string | number): string {
  const isPlain = !/^["[]|[ \n]/.test(id) && !String(digest).includes('\n');
  return isPlain ? `${id} ${digest}` : JSON.stringify([id, digest]);
}
