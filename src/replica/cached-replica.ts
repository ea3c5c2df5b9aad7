import type { WireContent } from '../contract/content.ts';
import { LuidError } from '../errors.ts';
import { linksOf } from './item-links.ts';
import { makeReplica, type Replica, type ReplicaParts } from './make-replica.ts';
import { ModelTable } from './store/model-table.ts';
import type { Cache, CachedContent } from './store/replica-cache.ts';
import { openFacts } from './store/stored-facts.ts';
import { storedModelKey } from './store/stored-model-key.ts';

interface CachedReplicaOptions extends Pick<ReplicaParts, 'repair'> {
  /** Why the service is not used. */
  readonly reason: string;
}

/** The replica as it is stored. */
export function cachedReplica(
  { models, lang }: CachedContent,
  { manifest, snapshot }: Cache,
  { reason, repair }: CachedReplicaOptions,
): Replica {
  const readSegment = async (hash: string) => snapshot?.segment(hash);
  const facts = {
    stored: openFacts(models, manifest, readSegment),
    linksOf: (item: WireContent) => linksOf(models, item),
  };
  const tables = Object.keys(models).flatMap((model) => {
    const stored = manifest.models[storedModelKey(models, model)];
    return stored ? [new ModelTable(model, stored.segments, readSegment, facts)] : [];
  });
  if (tables.length < Object.keys(models).length) {
    throw new LuidError(`${reason}, but the cache does not contain all models in this language`, {
      hint: 'Build once while the service is available, and do not set `cache` to `false`.',
    });
  }
  const items = tables.reduce((sum, { count }) => sum + count, 0);
  const changes = { added: 0, changed: 0, removed: 0 };
  const summary = { items, ...changes, requests: 0, cached: 0, retries: 0, waited: 0 };
  return makeReplica({ models, lang, manifest, tables, summary, isFromCache: true, repair });
}
