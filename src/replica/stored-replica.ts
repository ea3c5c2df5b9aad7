import type { ModelMap } from '../models/types.ts';
import { type ReadSegment, SegmentItems } from './content/segment-items.ts';
import { Replica, type ReplicaParts } from './replica.ts';
import type { Manifest } from './store/manifest/manifest.ts';
import { replicaFingerprint, storedModel } from './store/manifest/stored-models.ts';
import { openFacts } from './store/segments/stored-facts.ts';

export interface StoredReplicaOptions
  extends Pick<ReplicaParts, 'lang' | 'keepsItems' | 'repair' | 'isFromCache' | 'summary' | 'stored'> {
  readonly models: ModelMap;
  readonly manifest: Manifest;
  readonly readSegment: ReadSegment;
  /** Segments that are in memory. */
  readonly known?: Iterable<SegmentItems> | undefined;
}

/** The replica that a manifest describes. Nothing is read before it is needed. */
export function storedReplica(options: StoredReplicaOptions): Replica {
  const { models, manifest, readSegment, known = [], ...parts } = options;
  const inMemory = new Map([...known].map((segment) => [segment.hash, segment]));
  const segments = new Map(
    Object.keys(models).map((model) => {
      const stored = storedModel(models, manifest, model)?.segments ?? [];
      const items = stored.map(
        (segment) => inMemory.get(segment.hash) ?? new SegmentItems(model, segment, readSegment),
      );
      return [model, items] as const;
    }),
  );
  return new Replica({
    ...parts,
    models,
    manifest,
    segments,
    fingerprint: replicaFingerprint(models, manifest),
    storedFacts: openFacts(models, manifest, readSegment),
  });
}
