import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clearCollectionStatuses, recordLoad } from '../../../src/astro/collection-status.ts';
import type { refreshEndpoint } from '../../../src/astro/dev/refresh-endpoint.ts';
import { MESSAGES, type StatusMessage } from '../../../src/astro/dev/toolbar-messages.ts';
import luid from '../../../src/astro/integration/integration.ts';
import type { ConnectedSpace } from '../../../src/space/space.ts';
import { liveSpace } from '../live/live-space.ts';

describe('astro dev', () => {
  afterEach(() => void vi.useRealTimers());

  /** Runs the hooks of the integration as a dev server does; gives what ends it. */
  async function startDev(space: ConnectedSpace, variables: string, setup: object = {}): Promise<() => void> {
    const folder = mkdtempSync(join(tmpdir(), 'astro-luid-poll-'));
    writeFileSync(join(folder, '.env'), variables);
    const root = pathToFileURL(`${folder}/`);
    const logger = { info() {}, warn() {} };
    const { hooks } = luid(space, { poll: '1s' });
    await hooks['astro:config:setup']?.({
      config: { root, image: {} },
      command: 'dev',
      isRestart: false,
      updateConfig() {},
      addDevToolbarApp() {},
      logger,
    } as never);
    await hooks['astro:config:done']?.({
      config: { base: '/docs', root, srcDir: new URL('src/', root) },
    } as never);
    await hooks['astro:server:setup']?.({
      server: { middlewares: { use() {} }, httpServer: null },
      toolbar: { on() {}, send() {} },
      refreshContent: async () => {},
      logger,
      ...setup,
    } as never);
    rmSync(folder, { recursive: true });
    return () => hooks['astro:server:done']?.({ logger } as never);
  }

  test('does not poll if LUID_OFFLINE is on in .env', async () => {
    clearCollectionStatuses();
    const offline = liveSpace();
    const online = liveSpace();
    let requests = 0;
    offline.emulator.beforeRequest = () => {
      requests += 1;
    };
    const asked = new Promise<void>((resolve) => {
      online.emulator.beforeRequest = () => resolve();
    });
    const ends = [
      await startDev(offline.space, 'LUID_OFFLINE=true\n'),
      await startDev(online.space, 'LUID_OFFLINE=false\n'),
    ];
    // It was started later, so whatever the other would have requested is under way before.
    await asked;
    for (const end of ends) end();
    expect(requests).toBe(0);
  });

  test('refreshes without an error after a collection that could not be loaded was renamed', async () => {
    clearCollectionStatuses();
    const { space } = liveSpace();
    const record = (collection: string, outcome: { error?: Error } = {}) =>
      recordLoad(
        space,
        { model: 'article', drafts: false },
        { collection, store: { keys: () => ['a'] } } as never,
        { langs: [undefined], ...outcome },
      );
    let loadAll = () => record('news', { error: new Error('title is missing') });
    const handlers = new Map<string, (message: object) => void>();
    let onEnd = (_: StatusMessage) => {};
    const end = await startDev(space, 'LUID_OFFLINE=true\n', {
      refreshContent: async () => loadAll(),
      toolbar: {
        on: (name: string, handler: (message: object) => void) => handlers.set(name, handler),
        send: (_: string, message: StatusMessage) => message.refreshing || onEnd(message),
      },
    });
    const refresh = () =>
      new Promise<StatusMessage>((resolve) => {
        onEnd = resolve;
        handlers.get(MESSAGES.refresh)?.({});
      });
    vi.setSystemTime(1000);
    expect((await refresh()).error).toBe('title is missing');
    vi.setSystemTime(2000);
    loadAll = () => record('posts');
    const { error, collections } = await refresh();
    expect(error).toBeUndefined();
    expect(collections.map(({ name }) => name)).toEqual(['posts']);
    end();
  });

  test('has the refresh endpoint below the base of the site', async () => {
    const handlers: ReturnType<typeof refreshEndpoint>[] = [];
    const server = {
      middlewares: { use: (one: (typeof handlers)[0]) => handlers.push(one) },
      httpServer: null,
    };
    const variables = 'LUID_OFFLINE=true\nLUID_REFRESH_SECRET=a-long-secret-of-the-test\n';
    const end = await startDev(liveSpace().space, variables, { server });
    const statusOf = (url: string) =>
      new Promise<number | 'the site'>((resolve) => {
        const response = { writeHead: resolve, end() {} };
        void handlers[0]?.({ url, method: 'GET', headers: {} } as never, response as never, () =>
          resolve('the site'),
        );
      });
    expect(await statusOf('/docs/_luid/refresh')).toBe(405);
    expect(await statusOf('/other/_luid/refresh')).toBe('the site');
    end();
  });

  test('throws for a value of LUID_OFFLINE that is neither on nor off', async () => {
    await expect(startDev(liveSpace().space, 'LUID_OFFLINE=ture\n')).rejects.toThrow(
      "LUID_OFFLINE must be on or off, got 'ture'",
    );
  });
});
