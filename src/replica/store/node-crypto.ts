import { createHmac, timingSafeEqual } from 'node:crypto';
import { openCipher } from '../../shared/encryption/content-cipher.ts';
import { SIGNING_PURPOSE, type SnapshotCrypto } from './manifest/signed-manifest.ts';
import { hashOf } from './segments/segments.ts';

/** What reading and writing a snapshot takes, of Node. */
export interface NodeCrypto extends SnapshotCrypto {
  sha256(data: string): string;
  sign(text: string): string;
  encrypt(body: string): string;
}

export function openNodeCrypto(apiKey: string): NodeCrypto {
  const { encrypt, decrypt } = openCipher(apiKey);
  const key = createHmac('sha256', apiKey).update(SIGNING_PURPOSE).digest();
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  return {
    sha256: hashOf,
    sign,
    verify(text, signature) {
      const [actual, wanted] = [Buffer.from(signature), Buffer.from(sign(text))];
      return actual.length === wanted.length && timingSafeEqual(actual, wanted);
    },
    encrypt,
    decrypt,
  };
}
