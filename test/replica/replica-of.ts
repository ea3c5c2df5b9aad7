import type { WireContent } from '../../src/contract/content.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { linksOf } from '../../src/replica/item-links.ts';
import { makeReplica, type Replica } from '../../src/replica/make-replica.ts';
import type { Manifest } from '../../src/replica/store/manifest.ts';
import { ModelTable } from '../../src/replica/store/model-table.ts';
import { emptyManifest } from '../../src/replica/store/snapshot.ts';

/** A replica of these items that was not read from a service. */
export async function replicaOf(
  models: ModelMap,
  items: readonly WireContent[],
  manifest: Partial<Manifest> = {},
): Promise<Replica> {
  const facts = {
    stored: async () => new Map(),
    linksOf: (item: WireContent) => linksOf(models, item),
  };
  const tables = Object.keys(models).map((model) => new ModelTable(model, [], async () => undefined, facts));
  for (const table of tables) {
    table.replace(items.filter(({ _model }) => _model === table.model));
    await table.toSegments();
  }
  const changes = { added: 0, changed: 0, removed: 0 };
  return makeReplica({
    models,
    manifest: { ...emptyManifest(), ...manifest },
    tables,
    summary: { items: items.length, ...changes, requests: 0, cached: 0, retries: 0, waited: 0 },
    isFromCache: false,
    repair: (error) => Promise.reject(error),
  });
}
