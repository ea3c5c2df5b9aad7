import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clearCollectionStatuses } from '../../../src/astro/collection-status.ts';
import luid from '../../../src/astro/integration/integration.ts';
import type { ConnectedSpace } from '../../../src/space/space.ts';
import { liveSpace } from '../live/live-space.ts';

describe('astro dev', () => {
  /** Runs the hooks of the integration as a dev server does; gives what ends it. */
  function startDev(space: ConnectedSpace, variables: string): () => void {
    const folder = mkdtempSync(join(tmpdir(), 'astro-luid-poll-'));
    writeFileSync(join(folder, '.env'), variables);
    const logger = { info() {}, warn() {} };
    const { hooks } = luid(space, { poll: 1 });
    hooks['astro:config:setup']?.({
      config: { root: pathToFileURL(`${folder}/`), image: {} },
      command: 'dev',
      isRestart: false,
      updateConfig() {},
      addDevToolbarApp() {},
      logger,
    } as never);
    hooks['astro:server:setup']?.({
      server: { middlewares: { use() {} }, httpServer: null },
      toolbar: { on() {}, send() {} },
      refreshContent: async () => {},
      logger,
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
      startDev(offline.space, 'LUID_OFFLINE=true\n'),
      startDev(online.space, 'LUID_OFFLINE=false\n'),
    ];
    // It was started later, so whatever the other would have requested is under way before.
    await asked;
    for (const end of ends) end();
    expect(requests).toBe(0);
  });

  test('throws for a value of LUID_OFFLINE that is neither on nor off', () => {
    expect(() => startDev(liveSpace().space, 'LUID_OFFLINE=ture\n')).toThrow("LUID_OFFLINE is 'ture'");
  });
});
