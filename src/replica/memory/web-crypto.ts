// Hashes of the web platform, which servers of every kind have. Builds use Node's, which are not asynchronous.

const subtle = () => globalThis.crypto.subtle;
const encoder = new TextEncoder();

export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  return toHex(await subtle().digest('SHA-256', bytesOf(data)));
}

/** Checks HMAC-SHA-256 signatures in hexadecimal, with a key that is derived from a secret for one purpose. */
export async function openVerifier(
  secret: string,
  purpose: string,
): Promise<(text: string, signature: string) => Promise<boolean>> {
  const derived = await subtle().sign('HMAC', await importKey(bytesOf(secret), 'sign'), bytesOf(purpose));
  const key = await importKey(new Uint8Array(derived), 'verify');
  return async (text, signature) => {
    const expected = fromHex(signature);
    return expected !== undefined && subtle().verify('HMAC', key, expected, bytesOf(text));
  };
}

function importKey(secret: Uint8Array<ArrayBuffer>, usage: 'sign' | 'verify') {
  return subtle().importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
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
