import pLimit from 'p-limit';
import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { mapReferences } from '../models/walk.ts';
import { DamagedSegment, type SegmentFacts, type SegmentItems } from './content/segment-items.ts';
import { historySince } from './store/manifest/change-history.ts';
import type { Manifest } from './store/manifest/manifest.ts';
import type { FactsBySegment } from './store/segments/facts-format.ts';
import type { Summary } from './sync/progress.ts';

/** Thrown if an item is used that was not read: which items are needed was determined wrongly. */
export class UnreadItem extends Error {}

export interface ReplicaParts {
  readonly models: ModelMap;
  readonly lang?: string | undefined;
  readonly manifest: Manifest;
  /** Equal for equal content. */
  readonly fingerprint: string;
  /** By model, in the order of the model map. */
  readonly segments: ReadonlyMap<string, readonly SegmentItems[]>;
  /** Reads the facts that are stored. */
  readonly storedFacts: () => Promise<FactsBySegment>;
  /** Keeps each item that was used, as one object: for builds, which use them often, and end. */
  readonly keepsItems?: boolean | undefined;
  /** Provides the content if a segment turns out to be damaged. */
  readonly repair?: ((damage: DamagedSegment) => Promise<Replica>) | undefined;
  readonly isFromCache?: boolean | undefined;
  readonly summary?: Summary | undefined;
  readonly stored?: Promise<Replica | undefined> | undefined;
}

/** Most of the time is spent waiting for the disk or the network. */
const CONCURRENT_READS = 16;
/** So few segments in memory are parsed faster than the facts about all of them. */
const FEW_SEGMENTS = 20;

const NO_CHANGES: Summary = {
  items: 0,
  added: 0,
  changed: 0,
  removed: 0,
  requests: 0,
  cached: 0,
  retries: 0,
  waited: 0,
};

/**
 * The flat copy of a space in one language at one moment: every item of the declared models, references as ids. Builds,
 * servers, previews and commands use it. Its content never changes; segments are read when they are needed, and facts
 * answer what needs no item. Runs on servers of every kind.
 */
export class Replica {
  readonly models: ModelMap;
  readonly manifest: Manifest;
  /** Equal for equal content. */
  readonly fingerprint: string;
  /** The last snapshot as it was: offline, or the service was unavailable. */
  readonly isFromCache: boolean;
  /** What the sync did that made it. */
  readonly summary: Summary;
  /**
   * Settles when the cache is written, with what is stored then: this replica, or a later one if another process has
   * stored other content meanwhile; nothing if it is not from the service, or could not be stored. Never rejects.
   */
  readonly stored: Promise<Replica | undefined>;
  /** Removed items that others may still refer to. */
  readonly removed: ReadonlySet<number>;
  readonly #parts: ReplicaParts;
  #segments: ReadonlyMap<string, readonly SegmentItems[]>;
  #places: Map<number, SegmentItems> | undefined;
  readonly #items = new Map<number, WireContent>();

  constructor(parts: ReplicaParts) {
    const { models, manifest, fingerprint, segments } = parts;
    this.#parts = parts;
    this.models = models;
    this.manifest = manifest;
    this.fingerprint = fingerprint;
    this.isFromCache = parts.isFromCache ?? false;
    this.stored = parts.stored ?? Promise.resolve(undefined);
    this.removed = new Set(manifest.removed);
    this.#segments = segments;
    this.summary = parts.summary ?? { ...NO_CHANGES, items: this.size };
  }

  /** The number of items. */
  get size(): number {
    return this.allSegments().reduce((sum, { count }) => sum + count, 0);
  }

  /** When the oldest full read of a model was, by the local clock: content is not older. */
  get readAt(): number {
    return Math.min(...Object.values(this.manifest.models).map(({ readAt }) => readAt));
  }

  /** Content IDs of everything that changed since the replica had another fingerprint; `undefined` if that is unknown. */
  changesSince(fingerprint: string): ReadonlySet<number> | undefined {
    const changes = historySince(this.manifest.history, fingerprint);
    return changes && new Set([...changes.added, ...changes.changed, ...changes.removed]);
  }

  /** The segments of a model, in the order of `_created_at`. */
  segmentsOf(model: string): readonly SegmentItems[] {
    return this.#segments.get(model) ?? [];
  }

  allSegments(): readonly SegmentItems[] {
    return [...this.#segments.values()].flat();
  }

  /** Makes sure that it is known where each item is, and what it refers to. */
  async prepare(): Promise<this> {
    if (this.#places) return this;
    const unknown = this.allSegments().filter(({ hasFacts }) => !hasFacts);
    if (unknown.length > FEW_SEGMENTS || unknown.some(({ isRead }) => !isRead)) {
      const facts = await this.#parts.storedFacts();
      for (const segment of unknown) {
        const found = facts.get(segment.hash);
        if (found) segment.setFacts(this.#parts.keepsItems ? found : copyOf(found));
      }
    }
    await readSegments(unknown.filter(({ hasFacts }) => !hasFacts));
    const places = new Map<number, SegmentItems>();
    for (const segment of this.allSegments()) for (const id of segment.ids()) places.set(id, segment);
    this.#places = places;
    return this;
  }

  /** Reads those of these items that exist. Damage is an error: `readAll` repairs it. */
  async read(ids: Iterable<number>): Promise<void> {
    await this.prepare();
    await readSegments(new Set([...ids].flatMap((id) => this.#places?.get(id) ?? [])));
  }

  /** Reads everything, also again what is damaged. */
  async readAll(): Promise<this> {
    const { keepsItems, repair } = this.#parts;
    try {
      const segments = this.allSegments();
      await readSegments(segments);
      if (keepsItems) for (const segment of segments) await segment.parseAll();
    } catch (error) {
      if (!(error instanceof DamagedSegment) || !repair) throw error;
      const repaired = await repair(error);
      this.#segments = (await repaired.readAll()).#segments;
      this.#places = undefined;
      this.#items.clear();
    }
    return this.prepare();
  }

  /** All items by id, as this language alone shows them. */
  async items(): Promise<ReadonlyMap<number, WireContent>> {
    await this.readAll();
    const items = new Map([...this.values()].map((item) => [item._id, item]));
    // In another language, what an item refers to may exist in the main language alone.
    if (this.#parts.lang !== undefined || this.removed.size === 0) return items;
    const isRemoved = (value: unknown) =>
      typeof value === 'number' && this.removed.has(value) && !items.has(value);
    for (const [id, item] of items) {
      const fields = fieldsOf(this.models, item._model);
      items.set(
        id,
        mapReferences(fields, item, ({ value }) => (isRemoved(value) ? null : value)),
      );
    }
    return items;
  }

  // What follows needs `prepare`, and `read` or `readAll` for items.

  has(id: number): boolean {
    return this.#known.has(id);
  }

  modelOf(id: number): string | undefined {
    return this.#known.get(id)?.model;
  }

  /**
   * An item. Its references lead to whatever they led to when it was read: to what was removed since, or exists in
   * another language only. Whatever resolves them decides.
   */
  get(id: number): WireContent | undefined {
    const kept = this.#items.get(id);
    if (kept) return kept;
    const segment = this.#known.get(id);
    if (!segment) return undefined;
    if (!segment.isRead) throw new UnreadItem(`Content ${id} was not read`);
    return this.#itemAt(segment, segment.ids().indexOf(id), id);
  }

  *values(): Iterable<WireContent> {
    for (const segment of this.allSegments()) {
      if (!segment.isRead) throw new UnreadItem('Not all content was read');
      for (const [index, id] of segment.ids().entries())
        yield this.#items.get(id) ?? this.#itemAt(segment, index, id);
    }
  }

  /** What an item refers to. */
  linksOf(id: number): Iterable<number> {
    const segment = this.#known.get(id);
    return segment?.links(this.models, segment.ids().indexOf(id)) ?? [];
  }

  /** All items that refer to any of these. */
  referrersOf(targets: ReadonlySet<number>): Set<number> {
    const found = new Set<number>();
    if (targets.size === 0) return found;
    for (const segment of this.allSegments()) {
      for (const [index, id] of segment.ids().entries()) {
        for (const link of segment.links(this.models, index)) if (targets.has(link)) found.add(id);
      }
    }
    return found;
  }

  get #known(): ReadonlyMap<number, SegmentItems> {
    if (!this.#places) throw new UnreadItem('The replica is not prepared');
    return this.#places;
  }

  #itemAt(segment: SegmentItems, index: number, id: number): WireContent {
    const item = segment.get(index);
    if (this.#parts.keepsItems && !segment.isParsed) this.#items.set(id, item);
    return item;
  }
}

/** Of facts that are parts of one buffer: those that are not kept do not stay in memory. */
function copyOf({ ids, links, linkEnds }: SegmentFacts): SegmentFacts {
  return { ids: ids.slice(), links: links.slice(), linkEnds: linkEnds.slice() };
}

async function readSegments(segments: Iterable<SegmentItems>): Promise<void> {
  const limit = pLimit(CONCURRENT_READS);
  await Promise.all([...segments].filter(({ isRead }) => !isRead).map((one) => limit(() => one.read())));
}
