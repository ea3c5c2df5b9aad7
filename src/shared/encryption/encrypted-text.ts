/** What the keys of a cache are derived from the API key for. */
export const ENCRYPTION_PURPOSE = 'astro-luid cache encryption';
export const IV_PURPOSE = 'astro-luid cache iv';

/** Bytes at the beginning of an encrypted text that are different for every other text. */
export const IV_LENGTH = 12;

/** Followed by the IV, what is encrypted with AES-256-GCM, and its tag, in base64. */
export const MARK = 'encrypted:';

/** Whether this is an encrypted text. Nothing else that is stored begins like one. */
export function isEncrypted(body: string | Uint8Array): boolean {
  const start = typeof body === 'string' ? body : new TextDecoder().decode(body.subarray(0, MARK.length));
  return start.startsWith(MARK);
}
