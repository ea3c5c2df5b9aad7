import { expect, test } from 'vitest';
import {
  createToken,
  fromHex,
  hashOfSecret,
  isSameSecret,
  readToken,
  toHex,
} from '../../../src/astro/preview/preview-token.ts';

const hash = await hashOfSecret('open sesame');

test('a token is valid until it expires', async () => {
  const token = await createToken(hash, 1000);
  expect(await readToken(token, hash, 999)).toBe(1000);
  expect(await readToken(token, hash, 1000)).toBeUndefined();
});

test('a token is not valid with another secret, or if one character of it is another', async () => {
  const token = await createToken(hash, 1_000_000);
  expect(await readToken(token, await hashOfSecret('open sesame '), 0)).toBeUndefined();
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === '1' ? '2' : '1') + token.slice(at + 1);
    expect(await readToken(changed, hash, 0), changed).toBeUndefined();
  }
  for (const wrong of [
    '',
    '.',
    'x',
    '1000000',
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
  ]) {
    if (wrong !== token) expect(await readToken(wrong, hash, 0), wrong).toBeUndefined();
  }
});

test('a secret is compared as a whole', async () => {
  expect(await isSameSecret('open sesame', hash)).toBe(true);
  for (const wrong of ['', 'open', 'open sesame ', 'Open sesame', 'open sesame\0']) {
    expect(await isSameSecret(wrong, hash)).toBe(false);
  }
});

test('bytes in hex are those bytes again', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(fromHex(toHex(bytes))).toEqual(bytes);
});
