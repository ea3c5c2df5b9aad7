import type { WireContent } from '../contract/content.ts';
import { SegmentItems } from './content/segment-items.ts';
import { Replica, type ReplicaParts } from './replica.ts';

/** A replica of these items, which no cache contains. */
export function replicaOfItems(
  parts: Omit<ReplicaParts, 'segments' | 'storedFacts' | 'keepsItems'>,
  items: Iterable<WireContent>,
): Replica {
  const byModel = Map.groupBy(items, ({ _model }) => _model);
  const segments = new Map(
    Object.keys(parts.models).map((model) => {
      const own = byModel.get(model) ?? [];
      const nowhere = { time: 0, id: 0 };
      const segment = { hash: '', count: own.length, first: nowhere, last: nowhere };
      return [model, [new SegmentItems(model, segment, async () => undefined, own)]] as const;
    }),
  );
  return new Replica({ ...parts, segments, storedFacts: async () => new Map(), keepsItems: true });
}
