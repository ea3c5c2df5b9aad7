import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { ENCRYPTION_PURPOSE, IV_LENGTH, IV_PURPOSE, isEncrypted, MARK } from './encrypted-text.ts';

/** Encrypts what others must not read who can read a cache, with keys derived from the API key. */
export interface ContentCipher {
  /** Equal texts are equal when they are encrypted: see docs/architecture.md, "On disk". */
  encrypt(text: string): string;
  /** What was encrypted, or the same if it is not; `undefined` if it is damaged or of another key. */
  decrypt<T extends string | Uint8Array>(body: T): T | Buffer | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const TAG_LENGTH = 16;

export function openCipher(apiKey: string): ContentCipher {
  const derive = (purpose: string) => createHmac('sha256', apiKey).update(purpose).digest();
  const [key, ivKey] = [derive(ENCRYPTION_PURPOSE), derive(IV_PURPOSE)];
  return {
    encrypt(text) {
      const iv = createHmac('sha256', ivKey).update(text).digest().subarray(0, IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, key, iv);
      const encrypted = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return MARK + Buffer.concat(encrypted).toString('base64');
    },
    decrypt(body) {
      if (!isEncrypted(body)) return body;
      const bytes = Buffer.from(textOf(body).slice(MARK.length), 'base64');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_LENGTH));
        decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
        const decrypted = decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH));
        // Checks the tag. Nothing is left to decrypt.
        decipher.final();
        return decrypted;
      } catch {
        return undefined;
      }
    },
  };
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}
