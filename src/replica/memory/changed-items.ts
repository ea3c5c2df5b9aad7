import type { MemoryReplica } from './memory-replica.ts';
import type { SegmentItems } from './segment-items.ts';

/** How the items of two versions of a replica differ, by content ID. */
export interface ItemChanges {
  readonly added: ReadonlySet<number>;
  readonly changed: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  /** All of these, and referenced content of undeclared models that appeared or disappeared. */
  readonly all: ReadonlySet<number>;
}

/** Compares two versions. Only segments that differ are read. */
export function changedItems(before: MemoryReplica, after: MemoryReplica): ItemChanges {
  const [oldSegments, newSegments] = [[...before.allSegments()], [...after.allSegments()]];
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
  for (const id of itemsWithOtherAltTexts(before, after)) if (!added.has(id)) changed.add(id);
  const undeclared = [
    ...differing(before.undeclared, after.undeclared),
    ...differing(before.undeclaredInMain, after.undeclaredInMain),
  ];
  return { added, changed, removed, all: new Set([...added, ...changed, ...removed, ...undeclared]) };
}

function hashesOf(segments: readonly SegmentItems[]): Set<string> {
  return new Set(segments.map(({ hash }) => hash));
}

function itemsOf(segments: readonly SegmentItems[]): Map<number, string> {
  return new Map(
    segments.flatMap((segment) => [...segment.ids()].map((id, index) => [id, segment.json(index)] as const)),
  );
}

/** Items whose media have another alternative text, which is stored apart from them. */
function itemsWithOtherAltTexts(before: MemoryReplica, after: MemoryReplica): number[] {
  const [old, now] = [before.manifest.alts, after.manifest.alts];
  const urls = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = new Set(urls.filter((url) => altOf(old, url) !== altOf(now, url)));
  if (changed.size === 0) return [];
  return [...after.allSegments()].flatMap((segment) => segment.idsWithMedia(changed));
}

function altOf(alts: Readonly<Record<string, string>>, url: string): string | undefined {
  return Object.hasOwn(alts, url) ? alts[url] : undefined;
}

function differing(a: ReadonlySet<number>, b: ReadonlySet<number>): number[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}
