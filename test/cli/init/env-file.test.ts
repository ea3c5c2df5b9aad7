import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatEnvValue, setEnvVariables } from '../../../src/cli/init/env/env-file.ts';
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
      const { text } = setEnvVariables('', { LUID_API_KEY: value, LUID_BASE_URL: 'after' });
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
  ])('is rejected if tools would parse it differently: %j', (value) => {
    expect(formatEnvValue(value)).toBeUndefined();
    expect(() => setEnvVariables('', { LUID_API_KEY: value })).toThrow(
      /LUID_API_KEY has characters that tools parse differently/,
    );
  });
});

describe('an existing .env', () => {
  test('keeps its lines, line ends and comments', () => {
    const before = '# mine\r\nOTHER="1" # x\r\nLUID_API_KEY=mine';
    expect(setEnvVariables(before, { LUID_BASE_URL: 'http://a/v1', LUID_API_KEY: 'mine' })).toEqual({
      text: `${before}\r\nLUID_BASE_URL=http://a/v1\r\n`,
      added: ['LUID_BASE_URL'],
      replaced: [],
    });
  });

  test('sets an empty variable in place', () => {
    const { text, added } = setEnvVariables('LUID_API_KEY=\nB=2\n', { LUID_API_KEY: 'k' });
    expect([text, added]).toEqual(['LUID_API_KEY=k\nB=2\n', ['LUID_API_KEY']]);
  });

  test('replaces the last of two lines for one variable', () => {
    const { text, replaced } = setEnvVariables('LUID_API_KEY=a\nexport LUID_API_KEY=b\n', {
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
  ])('with %s is rejected, because its meaning would change', (_, before) => {
    expect(() => setEnvVariables(before, { LUID_API_KEY: `it's` })).toThrow(
      /Cannot safely add to .env|read differently/,
    );
  });
});
