import { absoluteUrl, altOf, hashOf, type Links, type MediaKeys } from '../backup/comparable.ts';
import type { BackupMedia } from '../backup/media-index.ts';
import type { Side } from '../backup/side.ts';
import type { RestoreLog } from './restore-log.ts';
import type { Target } from './target.ts';
import type { TargetLinks } from './write-values.ts';

/** Where the links of an export lead in the target, as far as items and media exist there. */
export class RestoreLinks {
  readonly #source: Side;
  readonly #target: Target;
  readonly #log: RestoreLog;
  readonly #sourceKeys: MediaKeys;
  readonly #targetKeys: Map<number, string>;
  /** The target's ids of items, by their ids in the export. */
  readonly ids: Map<number, number>;
  /** Of these, what an interrupted restore has created without noting it. */
  readonly adopted = new Map<number, number>();
  /** Items that are to be created. */
  readonly pending = new Set<number>();

  constructor(
    source: Side,
    target: Target,
    log: RestoreLog,
    ids: ReadonlyMap<number, number>,
    [sourceKeys, targetKeys]: readonly [MediaKeys, MediaKeys],
  ) {
    this.#source = source;
    this.#target = target;
    this.#log = log;
    this.#sourceKeys = sourceKeys;
    this.#targetKeys = new Map(targetKeys);
    this.ids = new Map(ids);
  }

  idOf(id: number): number | undefined {
    const known = this.ids.get(id);
    if (known !== undefined || !this.#target.isSource) return known;
    return this.#target.side.items.has(id) ? id : undefined;
  }

  /**
   * Links for writes. `needed` collects the media that are not uploaded yet. `isPlan`: nothing is sent, so what is to be
   * created exists.
   */
  toWrite(needed: Set<number>, { isPlan = false } = {}): TargetLinks {
    const pending = isPlan ? PLACEHOLDER : 'later';
    return {
      isSource: this.#target.isSource,
      item: (id) => this.idOf(id) ?? (this.pending.has(id) ? pending : undefined),
      media: (id) => {
        const media = this.#source.media.get(id);
        const uploaded = media && this.#log.uploaded.get(media.url);
        if (uploaded !== undefined) return uploaded;
        if (media?.sha256 === undefined) return undefined;
        needed.add(id);
        return PLACEHOLDER;
      },
    };
  }

  /** Links that are equal in the export and in the target where nothing needs to be written. */
  readonly comparable: Links = {
    reference: (side, id) => ({ reference: this.#targetOf(side, id) ?? `content ${id} of the export` }),
    media: (side, media, lang) => ({ media: this.#keyOf(side, media), alt: altOf(side, media, lang) }),
    image: absoluteUrl,
  };

  /** The same without references that lead nowhere in the target. */
  readonly writable: Links = {
    ...this.comparable,
    reference: (side, id) => {
      const target = this.#targetOf(side, id);
      return target === undefined ? undefined : { reference: target };
    },
  };

  /** Links that are equal in an item and in what was created from it, whatever it refers to. */
  readonly withoutReferences: Links = { ...this.comparable, reference: () => undefined };

  /** Makes media that appeared in the target comparable. */
  async learnMedia(): Promise<void> {
    for (const media of this.#target.side.media.values()) {
      if (!this.#targetKeys.has(media.id)) {
        this.#targetKeys.set(media.id, await hashOf(this.#target.side, media));
      }
    }
  }

  #targetOf(side: Side, id: number): number | string | undefined {
    if (side !== this.#source) return id;
    return this.idOf(id) ?? (this.pending.has(id) ? `to be created: ${id}` : undefined);
  }

  #keyOf(side: Side, media: BackupMedia): string {
    return (side === this.#source ? this.#sourceKeys : this.#targetKeys).get(media.id) ?? media.url;
  }
}

/** The id of what does not exist yet, in values that are not sent. */
const PLACEHOLDER = 1;
