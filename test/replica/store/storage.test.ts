import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage, prefixStorage } from 'unstorage';
import fs from 'unstorage/drivers/fs';
import fsLite from 'unstorage/drivers/fs-lite';
import http from 'unstorage/drivers/http';
import memory from 'unstorage/drivers/memory';
import { createStorageServer } from 'unstorage/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../../src/replica/store/storage.ts';
import { MODELS, openEmulatedSpace, readFromService, seedOf } from '../../support/emulated-space.ts';
import { describeStorage } from '../storage-suite.ts';
import { eventualDriver, ODD_DRIVERS } from './odd-drivers.ts';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'astro-luid-storage-'));

describeStorage('a folder', () => openStorage({}, makeFolder()));
describeStorage('memory', () => createStorage({ driver: memory() }));
describeStorage('a part of a storage', () => prefixStorage(createStorage({ driver: memory() }), 'site:luid'));
describeStorage('fs', () => createStorage({ driver: fs({ base: makeFolder() }) }));
describeStorage('fs-lite', () => createStorage({ driver: fsLite({ base: makeFolder() }) }));

for (const [name, makeDriver] of Object.entries(ODD_DRIVERS)) {
  describeStorage(name, () => createStorage({ driver: makeDriver() }));
}

describe('a storage server', () => {
  const storage = createStorage();
  const server = createServer(createStorageServer(storage).handle);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describeStorage('http', async () => {
    await storage.clear();
    const { port } = server.address() as AddressInfo;
    return createStorage({ driver: http({ base: `http://127.0.0.1:${port}` }) });
  });
});

test('a storage that shows what was written later costs requests, never correctness', async () => {
  const emulated = openEmulatedSpace(seedOf(60));
  const driver = eventualDriver();
  const cache = { storage: createStorage({ driver }) };
  const items = async (offline = false) =>
    Object.fromEntries(await (await emulated.sync({ cache, concurrency: 1, offline })).items());
  const right = async () => Object.fromEntries(await readFromService(emulated, MODELS));
  for (let round = 0; round < 12; round++) {
    emulated.service.clock.advance(1000);
    emulated.service.contents.edit(2 + 4 * round, { title: `edit ${round}` });
    expect(await items(), `round ${round}`).toEqual(await right());
    if (round % 3 === 2) {
      driver.settle();
      expect(await items(true), `settled in round ${round}`).toEqual(await right());
    }
  }
});
