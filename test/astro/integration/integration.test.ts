import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearReports, loadReports, noteLoad, reportLoad } from '../../../src/astro/dev/load-reports.ts';
import { editOf, serveToolbar } from '../../../src/astro/dev/toolbar.ts';
import { MESSAGES } from '../../../src/astro/dev/toolbar-messages.ts';
import luid, { type IntegrationOptions } from '../../../src/astro/integration/integration.ts';
import { defineSpace } from '../../../src/index.ts';
import { connectFrom } from '../../../src/space/env-files.ts';
import { models } from '../live/live-space.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'astro-luid-integration-'));
  clearReports();
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

/** Calls a hook as Astro would, and gives what it did. */
async function call(integration: AstroIntegration, hook: string, command = 'build') {
  const done = { warnings: [] as string[], config: [] as unknown[], apps: [] as unknown[] };
  const run = integration.hooks[hook] as (parameters: unknown) => void | Promise<void>;
  await run({
    command,
    config: { root: pathToFileURL(`${root}/`) },
    updateConfig: (config: unknown) => done.config.push(config),
    addDevToolbarApp: (app: unknown) => done.apps.push(app),
    logger: { warn: (message: string) => done.warnings.push(message) },
  });
  return done;
}

const spaceOf = (options: { apiKey?: string; draftApiKey?: string; assetsUrl?: string } = {}) =>
  defineSpace({ baseUrl: 'https://service.test/v1', models, ...options });
const assetsUrl = 'https://assets.test:8443/space/';

describe('pictures of the space', () => {
  const pattern = { protocol: 'https', hostname: 'assets.test', port: '8443', pathname: '/space/**' };

  test('are allowed, below the assets address alone', async () => {
    const { config } = await call(luid(spaceOf({ assetsUrl })), 'astro:config:setup');
    expect(config).toEqual([{ image: { remotePatterns: [pattern] } }]);
  });

  test('are resized by the CDN where the site wants it', async () => {
    const { config } = await call(luid(spaceOf({ assetsUrl }), { images: true }), 'astro:config:setup');
    const canonical = { assetsUrl: 'https://assets.test:8443/space' };
    const service = { entrypoint: 'astro-luid/image-service', config: canonical };
    expect(config).toEqual([{ image: { remotePatterns: [pattern], service } }]);
  });

  test('are not taken from a URL with a password, which would be part of the build', async () => {
    const space = spaceOf({ assetsUrl: 'https://user:hunter2@assets.test' });
    await expect(call(luid(space), 'astro:config:setup')).rejects.toThrow(
      /^assetsUrl must not contain a user name or password(?!.*hunter2)/s,
    );
  });

  test('have their address in .env too, of the mode that runs', async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    writeFileSync(join(root, '.env'), 'LUID_ASSETS_URL=https://first.test');
    writeFileSync(join(root, '.env.development'), 'LUID_ASSETS_URL=https://second.test');
    const build = await call(luid(spaceOf()), 'astro:config:setup');
    const dev = await call(luid(spaceOf()), 'astro:config:setup', 'dev');
    expect(JSON.stringify(build.config)).toContain('first.test');
    expect(JSON.stringify(dev.config)).toContain('second.test');
  });

  test('without an address are a warning, not a failure', async () => {
    vi.stubEnv('LUID_ASSETS_URL', undefined);
    const { warnings, config } = await call(luid(spaceOf()), 'astro:config:setup');
    expect(warnings).toEqual([expect.stringContaining('LUID_ASSETS_URL')]);
    expect(config).toEqual([]);
  });
});

describe('a build', () => {
  test('warns when one key is given for both kinds, unless a loader did, and does not show it', async () => {
    const same = luid(spaceOf({ apiKey: 'k-1', draftApiKey: 'k-1' }));
    const { warnings } = await call(same, 'astro:build:start');
    expect(warnings).toEqual([expect.stringMatching(/LUID_API_KEY .* are the same key/)]);
    expect(warnings.join()).not.toContain('k-1');
    noteLoad({
      model: 'article',
      entries: 1,
      at: 0,
      collection: 'news',
      drafts: false,
      warnedOfDrafts: true,
    });
    expect((await call(same, 'astro:build:start')).warnings).toEqual([]);
    const other = luid(spaceOf({ apiKey: 'k-1', draftApiKey: 'k-2' }));
    expect((await call(other, 'astro:build:start')).warnings).toEqual([]);
  });

  test('does not warn of keys that are not there', async () => {
    vi.stubEnv('LUID_API_KEY', undefined);
    vi.stubEnv('LUID_DRAFT_API_KEY', undefined);
    expect((await call(luid(spaceOf()), 'astro:build:start')).warnings).toEqual([]);
  });

  test('says which collections show drafts, and leaves those that did not ask for them to their loaders', async () => {
    const integration = luid(spaceOf());
    const load = { model: 'article', entries: 1, at: 0 };
    noteLoad({ ...load, collection: 'news', drafts: false });
    expect((await call(integration, 'astro:build:done')).warnings).toEqual([]);
    noteLoad({ ...load, collection: 'preview', drafts: true, seesDrafts: true });
    noteLoad({ ...load, collection: 'leak', drafts: false, seesDrafts: true });
    noteLoad({ ...load, collection: 'elsewhere', model: 'nothing', drafts: true });
    expect((await call(integration, 'astro:build:done')).warnings).toEqual([
      expect.stringMatching(/^This build shows drafts in preview: /),
    ]);
  });
});

describe('what a loader reports', () => {
  const plan = { model: 'article', drafts: false, lang: undefined, langs: undefined };
  const storeOf = (...statuses: string[]) =>
    ({ values: () => statuses.map((_status) => ({ data: { _status } })) }) as never;

  test('is what is in the store, and whether drafts are in it', () => {
    const space = spaceOf();
    reportLoad(space, plan, { collection: 'news', store: storeOf('published', 'published_draft') });
    reportLoad(space, plan, { collection: 'leak', store: storeOf('published', 'draft') });
    expect(loadReports(space)).toMatchObject([
      { collection: 'leak', entries: 2, seesDrafts: true, langs: [undefined], at: expect.any(Number) },
      { collection: 'news', entries: 2, seesDrafts: false },
    ]);
  });

  test('keeps the time when it last went well, beside why it failed', () => {
    const space = spaceOf();
    noteLoad({ collection: 'news', model: 'article', drafts: false, entries: 1, at: 5 });
    reportLoad(
      space,
      plan,
      { collection: 'news', store: storeOf('published') },
      { problem: new Error('down') },
    );
    expect(loadReports(space)).toMatchObject([{ at: 5, problem: 'down' }]);
    reportLoad(space, plan, { collection: 'news', store: storeOf('published') });
    expect(loadReports(space)[0]?.problem).toBeUndefined();
  });
});

describe('options', () => {
  test.each([0, -1, 0.5, Number.NaN, 'soon', '5', '0s'])('a poll of %j is refused', (poll) => {
    expect(() => luid(spaceOf(), { poll } as IntegrationOptions)).toThrow(/luid: poll must be/);
  });

  test.each([1, 10, '30s', '5min', false, undefined])('a poll of %j passes', (poll) => {
    luid(spaceOf(), { poll } as IntegrationOptions);
  });
});

describe('the key of the dev server', () => {
  test('comes from the option, else from .env, which astro.config cannot see', async () => {
    vi.stubEnv('LUID_API_KEY', undefined);
    const environment = { LUID_API_KEY: 'from-env' };
    expect((await connectFrom(spaceOf(), environment, false)()).apiKey).toBe('from-env');
    expect((await connectFrom(spaceOf({ apiKey: 'given' }), environment, false)()).apiKey).toBe('given');
    await expect(connectFrom(spaceOf(), {}, false)()).rejects.toThrow(/has no apiKey/);
  });
});

describe('the toolbar', () => {
  test('is there in dev alone', async () => {
    const integration = luid(spaceOf({ assetsUrl }));
    expect((await call(integration, 'astro:config:setup', 'dev')).apps).toMatchObject([{ id: 'astro-luid' }]);
    expect((await call(integration, 'astro:config:setup', 'build')).apps).toEqual([]);
  });

  test('leads to the entry that the page names', () => {
    expect(editOf('article:101', 'https://cms.test/{model}/{id}?x={id}')).toEqual({
      entry: 'article:101',
      url: 'https://cms.test/article/101?x=101',
    });
    expect(editOf('article:101', ({ model, id }) => `https://cms.test/${model}-${id + 1}`)?.url).toBe(
      'https://cms.test/article-102',
    );
  });

  test.each(['', 'article', 'article:', 'article:0', 'article:x', '../a:1', 'article:1:2', undefined, {}])(
    'leads nowhere for %j',
    (entry) => {
      expect(editOf(entry, 'https://cms.test/{model}/{id}')).toBeUndefined();
    },
  );

  test('leads only to addresses of the web', () => {
    expect(editOf('article:1', 'javascript:alert({id})')).toBeUndefined();
    expect(editOf('article:1', undefined)).toBeUndefined();
  });

  test('tells what is loaded, and how a refresh goes', () => {
    const sent: [string, unknown][] = [];
    const heard = new Map<string, (data: unknown) => void>();
    let refreshes = 0;
    const tell = serveToolbar({
      toolbar: {
        send: (event, payload) => void sent.push([event, payload]),
        on: (event, callback) => void heard.set(event, callback as (data: unknown) => void),
      },
      space: spaceOf(),
      editUrl: 'https://cms.test/{id}',
      refresh: async () => {
        refreshes += 1;
      },
    });
    noteLoad({ collection: 'news', model: 'article', drafts: false, entries: 3, at: 5 });
    heard.get(MESSAGES.ask)?.({ entry: 'article:101' });
    const collections = [{ name: 'news', model: 'article', entries: 3 }];
    expect(sent).toEqual([
      [MESSAGES.status, { collections, reads: 'published', lastSync: 5, refreshing: false }],
      [MESSAGES.edit, { entry: 'article:101', url: 'https://cms.test/101' }],
    ]);
    heard.get(MESSAGES.refresh)?.({});
    expect(refreshes).toBe(1);
    noteLoad({ collection: 'preview', model: 'article', drafts: true, entries: 4, at: 6 });
    tell('begins');
    expect(sent.at(-1)).toMatchObject([MESSAGES.status, { refreshing: true, reads: 'published and drafts' }]);
    tell(new Error('down'));
    expect(sent.at(-1)).toMatchObject([MESSAGES.status, { refreshing: false, problem: 'down' }]);
    tell('done');
    expect(sent.at(-1)?.[1]).not.toHaveProperty('problem');
  });
});
