/**
 * Cookies of the preview: when it expires, and a signature. WebCrypto works on servers of every kind, and compares in
 * constant time.
 */

const encoder = new TextEncoder();
/** Keeps signatures apart from those of other versions and uses. */
const PURPOSE = 'astro-luid preview v1';
const ENTER = `${PURPOSE} enter`;

/** The hash of a secret. A built server contains this instead of the secret. */
export async function hashOfSecret(secret: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(secret)));
}

export async function isSameSecret(given: string, hash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const proof = await crypto.subtle.sign(
    'HMAC',
    await keyOf(await hashOfSecret(given)),
    encoder.encode(ENTER),
  );
  return crypto.subtle.verify('HMAC', await keyOf(hash), proof, encoder.encode(ENTER));
}

/** A token that is valid until a time, in milliseconds. */
export async function createToken(hash: Uint8Array<ArrayBuffer>, expiresAt: number): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(hash), signedText(expiresAt));
  return `${expiresAt}.${toHex(new Uint8Array(signature))}`;
}

/** When a token expires, if it is valid; `undefined` if it is forged, changed, expired or no token at all. */
export async function readToken(
  token: string,
  hash: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<number | undefined> {
  const [, digits, signature] = /^([1-9]\d{0,15})\.([\da-f]{64})$/.exec(token) ?? [];
  const expiresAt = Number(digits);
  if (!signature || !(expiresAt > now)) return undefined;
  const isValid = await crypto.subtle.verify(
    'HMAC',
    await keyOf(hash),
    fromHex(signature),
    signedText(expiresAt),
  );
  return isValid ? expiresAt : undefined;
}

function signedText(expiresAt: number): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${PURPOSE} ${expiresAt}`);
}

function keyOf(hash: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', hash, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
