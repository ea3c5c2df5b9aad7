import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage, prefixStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { openStorage } from '../../../src/replica/store/storage.ts';
import { describeStorage } from '../storage-suite.ts';

describeStorage('a folder', () => openStorage({}, mkdtempSync(join(tmpdir(), 'astro-luid-storage-'))));
describeStorage('memory', () => createStorage({ driver: memory() }));
describeStorage('a part of a storage', () => prefixStorage(createStorage({ driver: memory() }), 'site:luid'));
