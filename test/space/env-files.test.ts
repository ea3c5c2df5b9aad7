import { afterEach, describe, expect, test, vi } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { connectFrom, isOwnVariable } from '../../src/space/env-files.ts';

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

test.each([
  ['LUID_API_KEY', true],
  ['GITHUB_TOKEN', true],
  ['NODE_OPTIONS', false],
])('commands read %s from .env files: %s', (name, expected) => {
  expect(isOwnVariable(name)).toBe(expected);
});
