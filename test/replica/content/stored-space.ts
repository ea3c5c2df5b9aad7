import { createStorage, type Storage } from 'unstorage';
import { openSnapshotReader, type SnapshotReader } from '../../../src/replica/content/snapshot-reader.ts';
import type { Replica } from '../../../src/replica/replica.ts';
import { type EmulatedSpace, MODELS, openEmulatedSpace, seedOf } from '../../support/emulated-space.ts';
import { readStored } from '../read-stored.ts';

export interface StoredSpace extends EmulatedSpace {
  readonly storage: Storage;
  reader(apiKey?: string): Promise<SnapshotReader>;
  /** Syncs, and reads what is stored; segments that did not change are those of the last call. */
  read(): Promise<Replica>;
}

/** A space whose replica is stored and read into memory. */
export function openStoredSpace(count: number): StoredSpace {
  const storage = createStorage();
  const space = openEmulatedSpace(seedOf(count));
  let before: Replica | undefined;
  const reader = (apiKey = 'published') =>
    openSnapshotReader(storage, MODELS, {
      baseUrl: space.service.baseUrl,
      apiKey,
      space: undefined,
      lang: undefined,
    });
  return {
    ...space,
    storage,
    reader,
    async read() {
      await space.sync({ cache: { storage } });
      const opened = await reader();
      const manifest = await opened.load();
      const replica = manifest && (await readStored(MODELS, opened, manifest, before));
      if (!replica) throw new Error('Not everything is stored');
      before = replica;
      return replica;
    },
  };
}
