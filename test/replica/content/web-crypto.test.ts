import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openSigner, sha256Hex } from '../../../src/replica/content/web-crypto.ts';

test.each(['', 'a', '夕暮れの港', 'x'.repeat(100_000)])('hashes like Node: %.10j', async (text) => {
  const wanted = createHash('sha256').update(text).digest('hex');
  expect(await sha256Hex(text)).toBe(wanted);
  expect(await sha256Hex(Buffer.from(text))).toBe(wanted);
});

describe('a signer', () => {
  const derived = createHmac('sha256', 'secret').update('purpose').digest();
  const signature = createHmac('sha256', derived).update('text').digest('hex');

  test('signs like Node, and accepts what Node has signed', async () => {
    const signer = await openSigner('secret', 'purpose');
    expect(await signer.sign('text')).toBe(signature);
    expect(await signer.verify('text', signature)).toBe(true);
  });

  test.each([
    ['another text', 'secret', 'purpose', 'text2', signature],
    ['another secret', 'secret2', 'purpose', 'text', signature],
    ['another purpose', 'secret', 'purpose2', 'text', signature],
    ['a shorter signature', 'secret', 'purpose', 'text', signature.slice(2)],
    ['an empty signature', 'secret', 'purpose', 'text', ''],
    ['a signature that is not hexadecimal', 'secret', 'purpose', 'text', signature.replace(/./, 'x')],
    ['half a byte more', 'secret', 'purpose', 'text', `${signature}0`],
  ])('rejects %s', async (_, secret, purpose, text, signed) => {
    expect(await (await openSigner(secret, purpose)).verify(text, signed)).toBe(false);
  });
});
