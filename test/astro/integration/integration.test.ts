import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clearCollectionStatuses, setCollectionStatus } from '../../../src/astro/collection-status.ts';
import luid, { type IntegrationOptions } from '../../../src/astro/integration/integration.ts';
import { defineSpace } from '../../../src/index.ts';
import { language } from '../../../src/shared/messages/language.ts';
import { models } from '../live/live-space.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'astro-luid-integration-'));
  clearCollectionStatuses();
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

/** Calls a hook as Astro would, and gives what it did. */
async function call(integration: AstroIntegration, hook: string, command = 'build', vite = {}) {
  const done = { warnings: [] as string[], config: [] as unknown[], apps: [] as unknown[] };
  const run = integration.hooks[hook] as (parameters: unknown) => void | Promise<void>;
  await run({
    command,
    config: { root: pathToFileURL(`${root}/`), vite },
    // Another test has the plugin that all sites have.
    updateConfig: (config: { vite?: unknown }) => !config.vite && done.config.push(config),
    addDevToolbarApp: (app: unknown) => done.apps.push(app),
    logger: { warn: (message: string) => done.warnings.push(message) },
  });
  return done;
}

const spaceOf = (options: { apiKey?: string; draftApiKey?: string; assetsUrl?: string } = {}) =>
  defineSpace({ baseUrl: 'https://service.test/v1', models, ...options });
const assetsUrl = 'https://assets.test:8443/space/';

describe('images of the space', () => {
  const pattern = { protocol: 'https', hostname: 'assets.test', port: '8443', pathname: '/space/**' };

  test('are allowed only below the assets URL', async () => {
    const { config } = await call(luid(spaceOf({ assetsUrl })), 'astro:config:setup');
    expect(config).toEqual([{ image: { remotePatterns: [pattern] } }]);
  });

  test('are resized by the CDN with `images: true`', async () => {
    const { config } = await call(luid(spaceOf({ assetsUrl }), { images: true }), 'astro:config:setup');
    const canonical = { assetsUrl: 'https://assets.test:8443/space' };
    const service = { entrypoint: 'astro-luid/image-service', config: canonical };
    expect(config).toEqual([{ image: { remotePatterns: [pattern], service } }]);
  });

  test('are warned about and an option typo is an error in Japanese with LUID_LANG=ja', async () => {
    vi.stubEnv('LUID_LANG', 'ja');
    const { warnings } = await call(luid(spaceOf()), 'astro:config:setup');
    onTestFinished(() => {
      language().translate = undefined;
    });
    expect(warnings).toEqual([expect.stringMatching(/^画像の URL が設定されていません/)]);
    expect(() => spaceOf().loader('article', { deph: 1 } as never)).toThrow(
      /'deph' というオプションはありません .*\n {2}→ 'depth' ではありませんか？/,
    );
  });

  test('are an error if the assets URL has a password, which would be part of the build', async () => {
    const space = spaceOf({ assetsUrl: 'https://user:hunter2@assets.test' });
    await expect(call(luid(space), 'astro:config:setup')).rejects.toThrow(
      /^assetsUrl must not contain a user name or password(?!.*hunter2)/s,
    );
  });

  test('may have their URL in the .env file of the current mode', async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    writeFileSync(join(root, '.env'), 'LUID_ASSETS_URL=https://first.test');
    writeFileSync(join(root, '.env.development'), 'LUID_ASSETS_URL=https://second.test');
    const build = await call(luid(spaceOf()), 'astro:config:setup');
    const dev = await call(luid(spaceOf()), 'astro:config:setup', 'dev');
    expect(JSON.stringify(build.config)).toContain('first.test');
    expect(JSON.stringify(dev.config)).toContain('second.test');
  });

  test("may have their URL in the .env file of Vite's envDir", async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    writeFileSync(join(root, '.env'), 'LUID_ASSETS_URL=https://first.test');
    mkdirSync(join(root, 'env'));
    writeFileSync(join(root, 'env/.env'), 'LUID_ASSETS_URL=https://second.test');
    const vite = { envDir: join(root, 'env') };
    const { config } = await call(luid(spaceOf()), 'astro:config:setup', 'build', vite);
    expect(JSON.stringify(config)).toContain('second.test');
  });

  test('are those of the .env file of --mode', async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    writeFileSync(join(root, '.env.staging'), `LUID_ASSETS_URL=${assetsUrl}`);
    const argv = process.argv;
    process.argv = ['node', '/site/node_modules/.bin/astro', 'build', '--mode', 'staging'];
    try {
      const { warnings, config } = await call(luid(spaceOf()), 'astro:config:setup');
      expect({ warnings, config }).toEqual({
        warnings: [],
        config: [{ image: { remotePatterns: [pattern] } }],
      });
    } finally {
      process.argv = argv;
    }
  });

  test.each([
    ['the option `service`', { service: 'nilto' } as const, ''],
    ['LUID_SERVICE in .env', {}, 'LUID_SERVICE=nilto\n'],
  ])('are those of the service: %s', async (_, options, env) => {
    writeFileSync(join(root, '.env'), env);
    const { config, warnings } = await call(luid(defineSpace({ models, ...options })), 'astro:config:setup');
    const nilto = { protocol: 'https', hostname: 'cms-assets.nilto.com', port: '', pathname: '/**' };
    expect([config, warnings]).toEqual([[{ image: { remotePatterns: [nilto] } }], []]);
  });

  test('without an assets URL are a warning, not an error', async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    const { warnings, config } = await call(luid(spaceOf()), 'astro:config:setup');
    expect(warnings).toEqual([expect.stringContaining('LUID_ASSETS_URL')]);
    expect(config).toEqual([]);
  });
});

describe('a build', () => {
  test('warns if one key is set for both kinds, unless a loader did, without printing it', async () => {
    const same = luid(spaceOf({ apiKey: 'k-1', draftApiKey: 'k-1' }));
    const { warnings } = await call(same, 'astro:build:start');
    expect(warnings).toEqual([expect.stringMatching(/LUID_API_KEY .* are the same key/)]);
    expect(warnings.join()).not.toContain('k-1');
    setCollectionStatus({
      model: 'article',
      entries: 1,
      loadedAt: 0,
      attemptedAt: 0,
      collection: 'news',
      drafts: false,
      warnedOfDrafts: true,
    });
    expect((await call(same, 'astro:build:start')).warnings).toEqual([]);
    const other = luid(spaceOf({ apiKey: 'k-1', draftApiKey: 'k-2' }));
    expect((await call(other, 'astro:build:start')).warnings).toEqual([]);
  });

  test('does not warn about missing keys', async () => {
    vi.stubEnv('LUID_API_KEY', undefined);
    vi.stubEnv('LUID_DRAFT_API_KEY', undefined);
    expect((await call(luid(spaceOf()), 'astro:build:start')).warnings).toEqual([]);
  });

  test('names the collections with `drafts: true`, and no others', async () => {
    const integration = luid(spaceOf());
    const load = { model: 'article', entries: 1, loadedAt: 0, attemptedAt: 0 };
    setCollectionStatus({ ...load, collection: 'news', drafts: false });
    expect((await call(integration, 'astro:build:done')).warnings).toEqual([]);
    setCollectionStatus({ ...load, collection: 'preview', drafts: true });
    setCollectionStatus({ ...load, collection: 'leak', drafts: false });
    setCollectionStatus({ ...load, collection: 'elsewhere', model: 'nothing', drafts: true });
    expect((await call(integration, 'astro:build:done')).warnings).toEqual([
      expect.stringMatching(/^This build shows drafts in preview: /),
    ]);
  });

  test('does not name collections of another space, also if the environment has the URL of this one', async () => {
    vi.stubEnv('LUID_BASE_URL', 'https://service.test/v1');
    const load = { model: 'article', entries: 1, loadedAt: 0, attemptedAt: 0, drafts: true };
    for (const integration of [luid(spaceOf({ assetsUrl })), luid(defineSpace({ models, assetsUrl }))]) {
      await call(integration, 'astro:config:setup');
      setCollectionStatus({ ...load, collection: 'theirs', baseUrl: 'https://other.test/v1' });
      expect((await call(integration, 'astro:build:done')).warnings).toEqual([]);
      setCollectionStatus({ ...load, collection: 'ours', baseUrl: 'https://service.test/v1' });
      expect((await call(integration, 'astro:build:done')).warnings).toEqual([
        expect.stringMatching(/^This build shows drafts in ours: /),
      ]);
    }
  });
});

describe('options', () => {
  test.each([0, -1, 10, 999, Number.NaN, 'soon', '5', '0s'])('a poll interval of %j is an error', (poll) => {
    expect(() => luid(spaceOf(), { poll } as IntegrationOptions)).toThrow(/luid: poll must be/);
  });

  test.each([1000, 30_000, '1s', '30s', '5min', false, undefined])(
    'a poll interval of %j is accepted',
    (poll) => {
      luid(spaceOf(), { poll } as IntegrationOptions);
    },
  );

  test.each([Number.POSITIVE_INFINITY, '401d', 0, 'soon'])(
    'a preview of %j, which no cookie can last, is an error',
    (maxAge) => {
      expect(() => luid(spaceOf(), { preview: { maxAge } } as IntegrationOptions)).toThrow(
        /^luid: preview\.maxAge must be a duration from one second to 400 days, such as '8h', got /,
      );
    },
  );

  test.each([1000, '8h', '400d', undefined])('a preview of %j is accepted', (maxAge) => {
    luid(spaceOf(), { preview: { maxAge } } as IntegrationOptions);
  });
});

describe('the toolbar', () => {
  test('is added in dev only', async () => {
    const integration = luid(spaceOf({ assetsUrl }));
    expect((await call(integration, 'astro:config:setup', 'dev')).apps).toMatchObject([{ id: 'astro-luid' }]);
    expect((await call(integration, 'astro:config:setup', 'build')).apps).toEqual([]);
  });
});

describe('a short secret in .env', () => {
  const start = (variable: string, command: string, options: IntegrationOptions = {}) => {
    writeFileSync(join(root, '.env'), `${variable}=${'x'.repeat(15)}`);
    return call(luid(spaceOf({ assetsUrl }), options), 'astro:config:setup', command);
  };

  test.each<[string, string, IntegrationOptions]>([
    ['LUID_PREVIEW_SECRET', 'build', { preview: true }],
    ['LUID_PREVIEW_SECRET', 'dev', { preview: { maxAge: '1h' } }],
    ['LUID_REFRESH_SECRET', 'build', { revalidate: true }],
    ['LUID_REFRESH_SECRET', 'dev', {}],
  ])('%s is an error of astro %s with %j', async (variable, command, options) => {
    await expect(start(variable, command, options)).rejects.toThrow(
      `${variable} is too short: it can be guessed`,
    );
  });

  test('is ignored where nothing uses it', async () => {
    for (const variable of ['LUID_PREVIEW_SECRET', 'LUID_REFRESH_SECRET']) {
      expect((await start(variable, 'build')).warnings).toEqual([]);
    }
  });
});
