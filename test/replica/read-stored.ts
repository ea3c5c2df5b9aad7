import type { ModelMap } from '../../src/models/types.ts';
import { DamagedSegment } from '../../src/replica/content/segment-items.ts';
import type { SnapshotReader } from '../../src/replica/content/snapshot-reader.ts';
import type { Replica } from '../../src/replica/replica.ts';
import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import { storedReplica } from '../../src/replica/stored-replica.ts';

/** Reads what a manifest names and `before` does not have; `undefined` if some of it is damaged. */
export async function readStored(
  models: ModelMap,
  { segment: readSegment }: Pick<SnapshotReader, 'segment'>,
  manifest: Manifest,
  before?: Replica,
): Promise<Replica | undefined> {
  const known = before?.allSegments();
  try {
    return await storedReplica({ models, manifest, readSegment, known }).readAll();
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
    return undefined;
  }
}
