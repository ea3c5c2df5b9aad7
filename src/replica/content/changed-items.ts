import type { Replica } from '../replica.ts';
import type { SegmentItems } from './segment-items.ts';

/** How the items of two versions of a replica differ, by content ID. */
export interface ItemChanges {
  readonly added: ReadonlySet<number>;
  readonly changed: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  /** All of these, and removed items that may be referred to in one of the versions only. */
  readonly all: ReadonlySet<number>;
}

/** Compares two versions. Only segments that differ are read. */
export function changedItems(before: Replica, after: Replica): ItemChanges {
  const [oldSegments, newSegments] = [before.allSegments(), after.allSegments()];
  const [oldHashes, newHashes] = [hashesOf(oldSegments), hashesOf(newSegments)];
  const oldItems = itemsOf(oldSegments.filter(({ hash }) => !newHashes.has(hash)));
  const newItems = itemsOf(newSegments.filter(({ hash }) => !oldHashes.has(hash)));
  const added = new Set<number>();
  const changed = new Set<number>();
  for (const [id, json] of newItems) {
    const old = oldItems.get(id);
    if (old === undefined) added.add(id);
    else if (old !== json) changed.add(id);
  }
  const removed = new Set([...oldItems.keys()].filter((id) => !newItems.has(id)));
  const noted = differing(before.removed, after.removed);
  return { added, changed, removed, all: new Set([...added, ...changed, ...removed, ...noted]) };
}

function hashesOf(segments: readonly SegmentItems[]): Set<string> {
  return new Set(segments.map(({ hash }) => hash));
}

function itemsOf(segments: readonly SegmentItems[]): Map<number, string> {
  return new Map(
    segments.flatMap((segment) => [...segment.ids()].map((id, index) => [id, segment.json(index)] as const)),
  );
}

function differing(a: ReadonlySet<number>, b: ReadonlySet<number>): number[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}
