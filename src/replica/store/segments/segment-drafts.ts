import type { WireContent } from '../../../contract/content.ts';
import type { ItemFacts } from './facts-format.ts';
import { createFacts } from './item-facts.ts';
import { encode, SEGMENT_SIZE, type Segment } from './segments.ts';

/** A segment with its body, and the facts about its items. */
export interface EncodedSegment {
  readonly items: readonly WireContent[];
  readonly segment: Segment;
  readonly body: string;
  readonly facts: ItemFacts;
}

export interface SegmentOptions {
  readonly linksOf: (item: WireContent) => readonly number[];
  /** Returns the body of a segment as it is stored: encrypted if others must not read one of its items. */
  readonly protect?: ((body: string, items: readonly WireContent[]) => string) | undefined;
}

export function encodeSegment(
  items: readonly WireContent[],
  { linksOf, protect }: SegmentOptions,
): EncodedSegment {
  const json = items.map((item) => JSON.stringify(item));
  return { items, ...encode(items, json, protect), facts: createFacts(items, json, linksOf) };
}

/** Characters of drafts that are kept in memory. */
const MAX_SIZE = 32 * 2 ** 20;

/**
 * Encodes items of a model that were read, while others are still being read: they are likely to be stored as they are.
 * A draft is used only for exactly the same items.
 */
export class SegmentDrafts {
  readonly #options: SegmentOptions;
  #pending: WireContent[] = [];
  #isScheduled = false;
  #size = 0;
  readonly #drafts = new Map<WireContent, EncodedSegment>();

  constructor(options: SegmentOptions) {
    this.#options = options;
  }

  /** Items that follow on those of the last call, in the order of segments. */
  add(items: readonly WireContent[]): void {
    if (this.#size >= MAX_SIZE) return;
    for (const item of items) this.#pending.push(item);
    this.#schedule();
  }

  /** The draft of the items at a position of a list, which is removed. */
  take(list: readonly WireContent[], at: number): EncodedSegment | undefined {
    const first = list[at] as WireContent;
    const draft = this.#drafts.get(first);
    if (!draft?.items.every((item, index) => item === list[at + index])) return undefined;
    this.#drafts.delete(first);
    return draft;
  }

  clear(): void {
    this.#pending = [];
    this.#drafts.clear();
    this.#size = 0;
  }

  /** One at a time, so that responses which arrive meanwhile are read and the next requests sent. */
  #schedule(): void {
    if (this.#isScheduled || this.#pending.length < SEGMENT_SIZE || this.#size >= MAX_SIZE) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#encodeNext();
      this.#schedule();
    });
  }

  #encodeNext(): void {
    if (this.#pending.length < SEGMENT_SIZE) return;
    const items = this.#pending.splice(0, SEGMENT_SIZE);
    try {
      const draft = encodeSegment(items, this.#options);
      this.#drafts.set(items[0] as WireContent, draft);
      this.#size += draft.body.length;
    } catch {
      // Items that cannot be encoded are an error when they are stored.
      this.#pending = [];
    }
  }
}
