/**
 * Cookies of the preview: when it expires, and a signature. The secret is the private key, and a built server contains the
 * public one: it verifies cookies, but nobody can sign one with what it contains. WebCrypto works on servers of every kind.
 */

const encoder = new TextEncoder();
/** Keeps signatures apart from those of other versions and uses. */
const PURPOSE = 'astro-luid preview v2';
/** What precedes the 32 bytes of a private key of Ed25519 in PKCS #8. */
const PKCS8_HEADER = '302e020100300506032b657004220420';
/** The clocks of two servers may differ by this many milliseconds. */
const CLOCK_DIFFERENCE = 60_000;

/** The public key of a secret, in Base64url. */
export async function publicKeyOf(secret: string): Promise<string> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await privateKeyOf(secret));
  return x;
}

/** A token that is valid until a time, in milliseconds. */
export async function createToken(secret: string, expiresAt: number): Promise<string> {
  const signature = await crypto.subtle.sign('Ed25519', await privateKeyOf(secret), signedText(expiresAt));
  return `${expiresAt}.${toHex(new Uint8Array(signature))}`;
}

/**
 * When a token expires, if it is valid; `undefined` if it is forged, changed, expired, valid for longer than `maxAge`
 * seconds or no token at all.
 */
export async function readToken(
  token: string,
  publicKey: string,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Promise<number | undefined> {
  const [, digits, signature] = /^([1-9]\d{0,15})\.([\da-f]{128})$/.exec(token) ?? [];
  const expiresAt = Number(digits);
  if (!signature || expiresAt <= now || expiresAt > now + maxAge * 1000 + CLOCK_DIFFERENCE) return undefined;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
  const isValid = await crypto.subtle.verify('Ed25519', key, fromHex(signature), signedText(expiresAt));
  return isValid ? expiresAt : undefined;
}

function signedText(expiresAt: number): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${PURPOSE} ${expiresAt}`);
}

/** Not a hash of the secret alone: of a secret that is also the one of the refresh endpoint, a built server contains that. */
async function privateKeyOf(secret: string): Promise<CryptoKey> {
  const seed = await crypto.subtle.digest('SHA-256', encoder.encode(`${PURPOSE} ${secret}`));
  const bytes = fromHex(PKCS8_HEADER + toHex(new Uint8Array(seed)));
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign']);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
