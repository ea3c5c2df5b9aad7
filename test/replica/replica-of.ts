import type { WireContent } from '../../src/contract/content.ts';
import type { ModelMap } from '../../src/models/types.ts';
import type { Replica } from '../../src/replica/replica.ts';
import { replicaOfItems } from '../../src/replica/replica-of-items.ts';
import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import { emptyManifest } from '../../src/replica/store/snapshot.ts';

/** A replica of these items that was not read from a service. */
export async function replicaOf(
  models: ModelMap,
  items: readonly WireContent[],
  manifest: Partial<Manifest> = {},
): Promise<Replica> {
  const parts = { models, manifest: { ...emptyManifest(), ...manifest }, fingerprint: JSON.stringify(items) };
  return replicaOfItems(parts, items).readAll();
}
