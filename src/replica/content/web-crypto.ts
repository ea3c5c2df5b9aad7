import { ENCRYPTION_PURPOSE, IV_LENGTH, isEncrypted, MARK } from '../../shared/encryption/encrypted-text.ts';
import { SIGNING_PURPOSE, type SnapshotCrypto } from '../store/manifest/signed-manifest.ts';
import { fromBase64 } from '../store/segments/base64.ts';

// What the web platform has, and so servers of every kind. Builds use Node's, which is not asynchronous.

const subtle = () => globalThis.crypto.subtle;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  return toHex(await subtle().digest('SHA-256', bytesOf(data)));
}

/** Makes and checks HMAC-SHA-256 signatures in hexadecimal. */
export interface Signer {
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

/** Signs with a key that is derived from a secret for one purpose. */
export async function openSigner(secret: string, purpose: string): Promise<Signer> {
  const key = await hmacKey(await deriveKey(secret, purpose));
  return {
    sign: async (text) => toHex(await subtle().sign('HMAC', key, bytesOf(text))),
    async verify(text, signature) {
      const expected = fromHex(signature);
      return expected !== undefined && subtle().verify('HMAC', key, expected, bytesOf(text));
    },
  };
}

/** What reading a snapshot takes. On Node, other threads compute it: requests do not wait. */
export async function openWebCrypto(apiKey: string): Promise<SnapshotCrypto> {
  const { verify } = await openSigner(apiKey, SIGNING_PURPOSE);
  return { sha256: sha256Hex, verify, decrypt: await openDecrypter(apiKey) };
}

/** Decrypts what `ContentCipher` has encrypted; `undefined` if it is damaged or of another secret. */
export async function openDecrypter(secret: string): Promise<SnapshotCrypto['decrypt']> {
  const key = await subtle().importKey('raw', await deriveKey(secret, ENCRYPTION_PURPOSE), 'AES-GCM', false, [
    'decrypt',
  ]);
  return async (body) => {
    if (!isEncrypted(body)) return body;
    const text = typeof body === 'string' ? body : decoder.decode(body);
    const encrypted = fromBase64(text.slice(MARK.length));
    const algorithm = { name: 'AES-GCM', iv: encrypted.subarray(0, IV_LENGTH) };
    const decrypting = subtle().decrypt(algorithm, key, encrypted.subarray(IV_LENGTH));
    return decrypting.then(
      (decrypted) => new Uint8Array(decrypted),
      () => undefined,
    );
  };
}

async function deriveKey(secret: string, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await subtle().sign('HMAC', await hmacKey(bytesOf(secret)), bytesOf(purpose)));
}

function hmacKey(secret: Uint8Array<ArrayBuffer>) {
  return subtle().importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return (typeof data === 'string' ? encoder.encode(data) : data) as Uint8Array<ArrayBuffer>;
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) as string[], (pair) => Number.parseInt(pair, 16));
}
