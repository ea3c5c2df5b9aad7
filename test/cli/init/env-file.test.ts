import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { withVariables } from '../../../src/cli/init/env-file.ts';
import { envValue } from '../../../src/cli/init/env-value.ts';
import { readEnvFile } from '../support/env-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function readings(text: string) {
  writeFileSync(join(folder, '.env'), text);
  return Object.values(await readEnvFile(folder));
}

describe('a value in .env', () => {
  test.each(['plain', 'a b', 'a#b', "a'b", 'a"b', 'a`b', `a'b"c`, 'a\\b', 'a\\nb', 'a$1', '$', '=', ' x '])(
    'is read by Node, dotenv and Vite as it was given: %j',
    async (value) => {
      const { text } = withVariables('', { LUID_API_KEY: value, LUID_BASE_URL: 'after' });
      for (const read of await readings(text)) {
        expect(read).toMatchObject({ LUID_API_KEY: value, LUID_BASE_URL: 'after' });
      }
    },
  );

  test.each([
    'a\nB=1',
    'a\rb',
    '\0',
    `'"\``,
    `$\{HOME}`,
    `a\\`,
    '$HOME',
    'a\\$b',
    'a\u2028b',
    'é',
    '',
    `'"\\`,
  ])('is refused where tools would read it differently: %j', (value) => {
    expect(envValue(value)).toBeUndefined();
    expect(() => withVariables('', { LUID_API_KEY: value })).toThrow(
      /LUID_API_KEY has characters that tools read differently/,
    );
  });
});

describe('an existing .env', () => {
  test('keeps its lines, its line ends and what it says of the variables', () => {
    const before = '# mine\r\nOTHER="1" # x\r\nLUID_API_KEY=mine';
    expect(withVariables(before, { LUID_BASE_URL: 'http://a/v1', LUID_API_KEY: 'mine' })).toEqual({
      text: `${before}\r\nLUID_BASE_URL=http://a/v1\r\n`,
      added: ['LUID_BASE_URL'],
      replaced: [],
    });
  });

  test('an empty variable counts as missing, and is filled in where it is', () => {
    const { text, added } = withVariables('LUID_API_KEY=\nB=2\n', { LUID_API_KEY: 'k' });
    expect([text, added]).toEqual(['LUID_API_KEY=k\nB=2\n', ['LUID_API_KEY']]);
  });

  test('of two lines for one variable the last, which decides, is replaced', () => {
    const { text, replaced } = withVariables('LUID_API_KEY=a\nexport LUID_API_KEY=b\n', {
      LUID_API_KEY: 'k',
    });
    expect([text, replaced]).toEqual(['LUID_API_KEY=a\nLUID_API_KEY=k\n', ['LUID_API_KEY']]);
  });

  test.each([
    ['an open quote', 'A="open\n'],
    [
      'a value over several lines with such a line in it',
      "A='\nLUID_API_KEY=x\n'\nLUID_API_KEY=y\nB='\nLUID_API_KEY=z\n'\n",
    ],
  ])('with %s is refused rather than changed in meaning', (_, before) => {
    expect(() => withVariables(before, { LUID_API_KEY: `it's` })).toThrow(
      /cannot be extended safely|read differently/,
    );
  });
});
