import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto';

/** What signs a cookie of the preview: one of the strings in a text, or the bytes that it encodes. */
export function findSigner(text: string, cookie: string): string | undefined {
  const [, expiry = '', signature] = /(\d+)\.([\da-f]+)$/.exec(cookie) ?? [];
  const words = new Set([...(text.match(/[\w+/=-]{16,}/g) ?? []), ...quotedStrings(text)]);
  return [...words].find((word) =>
    keysOf(word).some((key) => signaturesOf(key, expiry).some((forged) => forged === signature)),
  );
}

/** Also secrets with spaces. */
function quotedStrings(text: string): string[] {
  return [...text.matchAll(/["'`]([^"'`\n]{16,400})["'`]/g)].map(([, inside = '']) => inside);
}

/** The keys that somebody could make of a string. */
function keysOf(word: string): Buffer[] {
  const decoded = (['hex', 'base64url'] as const).map((form) => Buffer.from(word, form));
  const hashed = ['', 'astro-luid preview v1 ', 'astro-luid preview v2 '].map((purpose) =>
    createHash('sha256')
      .update(purpose + word)
      .digest(),
  );
  return [...decoded, ...hashed].filter(({ length }) => length === 32);
}

function signaturesOf(key: Buffer, expiry: string): string[] {
  const texts = ['v1', 'v2'].map((version) => Buffer.from(`astro-luid preview ${version} ${expiry}`));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), key]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return texts.flatMap((text) => [
    createHmac('sha256', key).update(text).digest('hex'),
    sign(null, text, privateKey).toString('hex'),
  ]);
}
