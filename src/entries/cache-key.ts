import { LuidConfigError } from '../errors.ts';

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
  return `${digests.length}-${hash(digests.join('\n'))}`;
}

/** 106 bits from two 53-bit hashes (cyrb53). Not for secrets. */
function hash(text: string): string {
  return [0x9e3779b9, 0x85ebca6b].map((seed) => cyrb53(text, seed).toString(36)).join('');
}

function cyrb53(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
