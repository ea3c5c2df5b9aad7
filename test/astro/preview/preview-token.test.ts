import { expect, test } from 'vitest';
import { createToken, publicKeyOf, readToken } from '../../../src/astro/preview/preview-token.ts';
import { hashSecret } from '../../../src/astro/revalidate/refresh-handler.ts';
import { findSigner } from '../../package/forge-cookie.ts';

const SECRET = 'open sesame, little door';
const publicKey = await publicKeyOf(SECRET);
const AT_START = { now: 0, maxAge: 1000 };

test('a token is valid until it expires', async () => {
  const token = await createToken(SECRET, 1000);
  expect(await readToken(token, publicKey, { now: 999, maxAge: 60 })).toBe(1000);
  expect(await readToken(token, publicKey, { now: 1000, maxAge: 60 })).toBeUndefined();
});

test('a token that would be valid for longer than a preview lasts is not, but the clocks of two servers may differ', async () => {
  const hour = 3_600_000;
  const token = await createToken(SECRET, 8 * hour);
  expect(await readToken(token, publicKey, { now: 0, maxAge: 8 * 3600 })).toBe(8 * hour);
  // The server that signed it is a minute ahead.
  expect(await readToken(token, publicKey, { now: -60_000, maxAge: 8 * 3600 })).toBe(8 * hour);
  expect(await readToken(token, publicKey, { now: -60_001, maxAge: 8 * 3600 })).toBeUndefined();
  expect(await readToken(token, publicKey, { now: 0, maxAge: 7 * 3600 })).toBeUndefined();
  const eternal = await createToken(SECRET, Number.MAX_SAFE_INTEGER);
  expect(await readToken(eternal, publicKey, { now: 0, maxAge: 400 * 86_400 })).toBeUndefined();
});

test('a token is not valid with another secret, or if one character of it is another', async () => {
  const token = await createToken(SECRET, 1_000_000);
  expect(await readToken(token, publicKey, AT_START)).toBe(1_000_000);
  for (const other of ['', 'open', `${SECRET} `, SECRET.toUpperCase(), `${SECRET}\0`]) {
    expect(await readToken(await createToken(other, 1_000_000), publicKey, AT_START)).toBeUndefined();
  }
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === '1' ? '2' : '1') + token.slice(at + 1);
    expect(await readToken(changed, publicKey, AT_START), changed).toBeUndefined();
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
    expect(await readToken(wrong, publicKey, AT_START), wrong).toBeUndefined();
  }
});

test('the public key of a secret is always the same, and is not that of a similar one', async () => {
  expect(await publicKeyOf(SECRET)).toBe(publicKey);
  expect(publicKey).toMatch(/^[\w-]{43}$/);
  expect(await publicKeyOf(`${SECRET}.`)).not.toBe(publicKey);
});

test.each([SECRET, SECRET.repeat(10)])(
  'neither the public key nor the hash of the same secret for the refresh endpoint signs a token: %s',
  async (secret) => {
    const token = await createToken(secret, 1_000_000);
    const built = [await publicKeyOf(secret), hashSecret(secret).toString('hex')];
    expect(findSigner(JSON.stringify(built), token)).toBeUndefined();
    expect(findSigner(JSON.stringify([...built, secret]), token)).toBe(secret);
  },
);
