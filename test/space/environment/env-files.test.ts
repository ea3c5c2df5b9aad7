import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineSpace, field } from '../../../src/index.ts';
import { connectFrom, isOwnVariable, readEnvironment } from '../../../src/space/environment/env-files.ts';
import { loadEnv } from '../../cli/support/env-readers.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const spaceOf = (options: { apiKey?: string } = {}) =>
  defineSpace({
    baseUrl: 'https://service.test/v1',
    models: { article: { title: field.text() } },
    ...options,
  });

describe('the connection of the dev server', () => {
  test('uses the key from the option, or else from .env, which astro.config cannot see', async () => {
    vi.stubEnv('LUID_API_KEY', undefined);
    const environment = { LUID_API_KEY: 'from-env' };
    expect((await connectFrom(spaceOf(), environment, false)()).apiKey).toBe('from-env');
    expect((await connectFrom(spaceOf({ apiKey: 'given' }), environment, false)()).apiKey).toBe('given');
    await expect(connectFrom(spaceOf(), {}, false)()).rejects.toThrow(/has no apiKey/);
  });
});

describe('the environment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'luid-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const read = (more = {}) => readEnvironment({ root: folder, mode: 'production', ...more });
  function installAstro() {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(import.meta.dirname, '../../../node_modules/astro'), join(folder, 'node_modules/astro'));
  }

  test.each(['with', 'without'])(
    'skips a .env that is a folder or a dangling link, %s Astro',
    async (how) => {
      if (how === 'with') installAstro();
      mkdirSync(join(folder, '.env'));
      symlinkSync(join(folder, 'missing'), join(folder, '.env.local'));
      write('.env.production', 'LUID_TEST_VALUE=read\n');
      expect((await read()).LUID_TEST_VALUE).toBe('read');
    },
  );

  test('has the values of .env files that Vite, and so Astro, reads', async () => {
    installAstro();
    vi.stubEnv('LUID_TEST_HOST', 'from-outside.test');
    write(
      '.env',
      [
        'CMS=https://cms.test',
        `LUID_BASE_URL=$\{CMS}/v1`,
        'LUID_ASSETS_URL=https://$LUID_TEST_HOST/assets',
        'LUID_TEST_HOST=from-file.test',
        'LUID_API_KEY=abc$missing',
        `LUID_HOOK='https://hook.test/\\$x' # a comment`,
        '',
      ].join('\n'),
    );
    write('.env.local', 'CMS=https://local.test\n');
    write('.env.production', 'LUID_TEST_VALUE=production\n');
    write('.env.development', 'LUID_TEST_VALUE=development\n');
    const environment = await read();
    expect(environment).toEqual(loadEnv('production', folder, ''));
    expect(environment).toMatchObject({
      LUID_BASE_URL: 'https://local.test/v1',
      LUID_TEST_HOST: 'from-outside.test',
      LUID_TEST_VALUE: 'production',
    });
  });

  test('may be read from another folder, or from none', async () => {
    installAstro();
    mkdirSync(join(folder, 'env'));
    write('.env', 'LUID_TEST_VALUE=root');
    write('env/.env', 'LUID_TEST_VALUE=other');
    expect((await read({ envDir: join(folder, 'env') })).LUID_TEST_VALUE).toBe('other');
    expect((await read({ envDir: false })).LUID_TEST_VALUE).toBeUndefined();
  });

  test('leaves that of the process as it is', async () => {
    installAstro();
    vi.stubEnv('BROWSER', undefined);
    const before = { ...process.env };
    write('.env', 'BROWSER=none\nNODE_ENV=development\nLUID_TEST_VALUE=1\n');
    expect((await read()).BROWSER).toBe('none');
    expect({ ...process.env }).toEqual(before);
  });
});

test.each([
  ['LUID_API_KEY', true],
  ['GITHUB_TOKEN', true],
  ['NODE_OPTIONS', false],
])('commands read %s from .env files: %s', (name, expected) => {
  expect(isOwnVariable(name)).toBe(expected);
});
