import { describe, expect, test } from 'vitest';
import { openDecrypter } from '../../../src/replica/content/web-crypto.ts';
import { openCipher } from '../../../src/shared/encryption/content-cipher.ts';
import { isEncrypted } from '../../../src/shared/encryption/encrypted-text.ts';

const cipher = openCipher('key');
const TEXTS = ['', 'a', '[{"_id":1}]', '夕暮れの港 \u{1f600}', 'x'.repeat(300_000)];
const bytesOf = (encrypted: string) => Buffer.from(encrypted.slice('encrypted:'.length), 'base64');
const ivOf = (encrypted: string) => bytesOf(encrypted).subarray(0, 12).toString('hex');
const withByte = (encrypted: string, change: (bytes: Buffer) => void) => {
  const bytes = bytesOf(encrypted);
  change(bytes);
  return `encrypted:${bytes.toString('base64')}`;
};

/** Both implementations, as a function from text to text. */
const DECRYPTERS = {
  async node(text: string, apiKey: string) {
    const plain = openCipher(apiKey).decrypt(text);
    return plain === undefined ? undefined : String(plain);
  },
  async web(text: string, apiKey: string) {
    const plain = await (await openDecrypter(apiKey))(new TextEncoder().encode(text));
    return plain === undefined ? undefined : new TextDecoder().decode(plain as Uint8Array);
  },
};

describe.each(Object.entries(DECRYPTERS))('what is encrypted is decrypted: %s', (_, decrypt) => {
  test.each(TEXTS)('%.20j', async (text) => {
    expect(await decrypt(cipher.encrypt(text), 'key')).toBe(text);
  });

  test('with the same key only', async () => {
    expect(await decrypt(cipher.encrypt('text'), 'other')).toBeUndefined();
  });

  test.each<[string, (encrypted: string) => string]>([
    ['another IV', (one) => withByte(one, (bytes) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0))],
    ['another text', (one) => withByte(one, (bytes) => bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12))],
    ['another tag', (one) => withByte(one, (bytes) => bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20))],
    ['a missing end', (one) => one.slice(0, -8)],
    ['nothing', () => 'encrypted:'],
    ['less than a tag', () => 'encrypted:AAAA'],
    ['less than a tag after the IV', () => `encrypted:${Buffer.alloc(20).toString('base64')}`],
  ])('unless it has %s', async (_name, change) => {
    expect(await decrypt(change(cipher.encrypt('text')), 'key')).toBeUndefined();
  });

  test.each(['', '[{"_id":1}]', 'encrypted', '{"encrypted:":1}'])(
    'and what is not encrypted is not changed: %j',
    async (text) => {
      expect(isEncrypted(text)).toBe(false);
      expect(await decrypt(text, 'key')).toBe(text);
    },
  );
});

test('equal texts are equal when they are encrypted, with equal keys only', () => {
  expect(openCipher('key').encrypt('text')).toBe(cipher.encrypt('text'));
  expect(openCipher('other').encrypt('text')).not.toBe(cipher.encrypt('text'));
});

test('no two texts, and no two keys, have the same IV', () => {
  const texts = Array.from({ length: 2000 }, (_, n) => `text ${n}`);
  const ivs = ['key', 'other'].flatMap((key) => texts.map((text) => ivOf(openCipher(key).encrypt(text))));
  expect(new Set(ivs).size).toBe(ivs.length);
  // Also if they differ only at the end, or in length.
  const similar = ['x'.repeat(10_000), `${'x'.repeat(9999)}y`, 'x'.repeat(10_001), ''];
  expect(new Set(similar.map((text) => ivOf(cipher.encrypt(text)))).size).toBe(similar.length);
});

test('what is encrypted tells nothing but its length', () => {
  const text = 'a secret title';
  const encrypted = cipher.encrypt(text);
  expect(encrypted).toMatch(/^encrypted:[0-9A-Za-z+/]+=*$/);
  expect(bytesOf(encrypted)).toHaveLength(12 + text.length + 16);
  expect(bytesOf(encrypted).toString('latin1')).not.toContain('secret');
});
