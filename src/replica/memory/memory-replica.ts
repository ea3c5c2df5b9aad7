import pLimit from 'p-limit';
import type { WireContent } from '../../contract/content.ts';
import type { ModelMap } from '../../models/types.ts';
import { withAltTexts } from '../replica-items.ts';
import { decodeFacts, type ItemFacts } from '../store/facts-format.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Segment } from '../store/segments.ts';
import { SegmentItems } from './segment-items.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** A stored replica in memory: the content of a space in one language at one moment. */
export class MemoryReplica {
  readonly models: ModelMap;
  readonly manifest: Manifest;
  /** Content of undeclared models that items refer to, by id. */
  readonly undeclared: ReadonlySet<number>;
  /** Of another language: such content that exists in the main one only. */
  readonly undeclaredInMain: ReadonlySet<number>;
  readonly #segments: ReadonlyMap<string, readonly SegmentItems[]>;
  readonly #places = new Map<number, SegmentItems>();

  constructor(models: ModelMap, manifest: Manifest, segments: ReadonlyMap<string, readonly SegmentItems[]>) {
    this.models = models;
    this.manifest = manifest;
    this.undeclared = new Set(manifest.undeclared);
    this.undeclaredInMain = new Set(manifest.undeclaredInMain);
    this.#segments = segments;
    for (const segment of this.allSegments()) for (const id of segment.ids()) this.#places.set(id, segment);
  }

  get size(): number {
    return this.#places.size;
  }

  /** The segments of a model, in the order of `_created_at`. */
  segmentsOf(model: string): readonly SegmentItems[] {
    return this.#segments.get(model) ?? [];
  }

  *allSegments(): Iterable<SegmentItems> {
    for (const segments of this.#segments.values()) yield* segments;
  }

  has(id: number): boolean {
    return this.#places.has(id);
  }

  /** Parses an item, each time. References lead to whatever they led to when it was read. */
  get(id: number): WireContent | undefined {
    const segment = this.#places.get(id);
    return segment && this.itemAt(segment, segment.ids().indexOf(id));
  }

  itemAt(segment: SegmentItems, index: number): WireContent {
    return withAltTexts(this.models, this.manifest.alts, segment.get(index));
  }

  *values(): Iterable<WireContent> {
    for (const segment of this.allSegments()) {
      for (let index = 0; index < segment.count; index++) yield this.itemAt(segment, index);
    }
  }

  modelOf(id: number): string | undefined {
    return this.#places.get(id)?.model;
  }

  /** The content that an item refers to. */
  linksOf(id: number): Iterable<number> {
    const segment = this.#places.get(id);
    return segment?.links(this.models, segment.ids().indexOf(id)) ?? [];
  }

  /** All items that refer to any of these. */
  referrersOf(targets: ReadonlySet<number>): Set<number> {
    const found = new Set<number>();
    for (const segment of this.allSegments()) {
      for (const [index, id] of segment.ids().entries()) {
        for (const link of segment.links(this.models, index)) if (targets.has(link)) found.add(id);
      }
    }
    return found;
  }
}

/** Most of the time is spent waiting for the disk or the network. */
const CONCURRENT_READS = 16;

/**
 * Reads the segments of a manifest that `before` does not have. `undefined` if one is missing or damaged: a newer
 * manifest may have replaced it, or a sync has to repair it.
 */
export async function readReplica(
  models: ModelMap,
  reader: SnapshotReader,
  manifest: Manifest,
  before: MemoryReplica | undefined,
): Promise<MemoryReplica | undefined> {
  const known = new Map([...(before?.allSegments() ?? [])].map((segment) => [segment.hash, segment]));
  const limit = pLimit(CONCURRENT_READS);
  const segments = new Map<string, readonly SegmentItems[]>();
  const added: SegmentItems[] = [];
  for (const [model, key] of reader.modelKeys) {
    const read = (manifest.models[key]?.segments ?? []).map((segment) =>
      limit(async () => {
        const same = known.get(segment.hash);
        if (same) return same;
        const bytes = await reader.segment(segment.hash);
        if (!bytes) return undefined;
        const items = new SegmentItems(model, segment, bytes);
        added.push(items);
        return items;
      }),
    );
    const items = await Promise.all(read);
    if (!items.every((one) => one !== undefined)) return undefined;
    segments.set(model, items);
  }
  // A few new segments are parsed faster than the facts about all of them.
  if (added.length > FEW_SEGMENTS) await useStoredFacts(reader, manifest);
  return new MemoryReplica(models, manifest, segments);

  async function useStoredFacts({ modelKeys }: SnapshotReader, { facts, models: stored }: Manifest) {
    const bytes = facts && (await reader.segment(facts.hash));
    if (!bytes) return;
    const inOrder = [...modelKeys.values()].flatMap((key) => stored[key]?.segments ?? []);
    const counts = inOrder.map(({ count }) => count);
    const decoded = decodeFacts(new TextDecoder().decode(bytes), counts) ?? [];
    // Another server may have stored them for models in another order.
    const isOf = ({ ids }: ItemFacts, { first, last }: Segment) =>
      ids[0] === first.id && ids.at(-1) === last.id;
    const byHash = new Map(
      inOrder.flatMap((segment, index) => {
        const found = decoded[index];
        return found && isOf(found, segment) ? [[segment.hash, found]] : [];
      }),
    );
    for (const segment of added) {
      const found = byHash.get(segment.hash);
      if (found) segment.setFacts(keptFacts(found));
    }
  }
}

const FEW_SEGMENTS = 20;

/** Copies, so that those that are not kept do not stay in memory: all of them are parts of one buffer. */
function keptFacts({ ids, links, linkEnds }: ItemFacts): Pick<ItemFacts, 'ids' | 'links' | 'linkEnds'> {
  return { ids: ids.slice(), links: links.slice(), linkEnds: linkEnds.slice() };
}
