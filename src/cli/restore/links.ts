import { absoluteUrl, altOf, hashOf, type Links, type MediaKeys } from '../backup/comparable.ts';
import type { BackupMedia } from '../backup/media-index.ts';
import type { Side } from '../backup/side.ts';
import type { RestoreLog } from './restore-log.ts';
import type { Target } from './target.ts';
import type { TargetLinks } from './write-values.ts';

export type RestoreLinks = ReturnType<typeof restoreLinks>;

/** Where the links of an export lead in the target, as far as items and media exist there. */
export function restoreLinks(
  source: Side,
  target: Target,
  log: RestoreLog,
  /** The target's ids of items, by their ids in the export. */
  ids: Map<number, number>,
  [sourceKeys, knownKeys]: readonly [MediaKeys, MediaKeys],
) {
  const targetKeys = new Map(knownKeys);
  /** Of `ids`, what an interrupted restore has created without noting it. */
  const adopted = new Map<number, number>();
  /** Items that are to be created. */
  const pending = new Set<number>();

  function idOf(id: number): number | undefined {
    const known = ids.get(id);
    if (known !== undefined || !target.isSource) return known;
    return target.side.items.has(id) ? id : undefined;
  }

  function targetOf(side: Side, id: number): number | string | undefined {
    if (side !== source) return id;
    return idOf(id) ?? (pending.has(id) ? `to be created: ${id}` : undefined);
  }

  function keyOf(side: Side, media: BackupMedia): string {
    return (side === source ? sourceKeys : targetKeys).get(media.id) ?? media.url;
  }

  /** Links that are equal in the export and in the target where nothing needs to be written. */
  const comparable: Links = {
    reference: (side, id) => ({ reference: targetOf(side, id) ?? `content ${id} of the export` }),
    media: (side, media, lang) => ({ media: keyOf(side, media), alt: altOf(side, media, lang) }),
    image: absoluteUrl,
  };

  return {
    ids,
    adopted,
    pending,
    idOf,
    comparable,
    /** The same without references that lead nowhere in the target. */
    writable: {
      ...comparable,
      reference(side: Side, id: number) {
        const found = targetOf(side, id);
        return found === undefined ? undefined : { reference: found };
      },
    },
    /** Links that are equal in an item and in what was created from it, whatever it refers to. */
    withoutReferences: { ...comparable, reference: () => undefined },
    /**
     * Links for writes. `needed` collects the media that are not uploaded yet. `isPlan`: nothing is sent, so what is to
     * be created exists.
     */
    toWrite: (needed: Set<number>, { isPlan = false } = {}): TargetLinks => ({
      isSource: target.isSource,
      item: (id) => idOf(id) ?? (pending.has(id) ? (isPlan ? PLACEHOLDER : 'later') : undefined),
      media(id) {
        const media = source.media.get(id);
        const uploaded = media && log.uploaded.get(media.url);
        if (uploaded !== undefined) return uploaded;
        if (media?.sha256 === undefined) return undefined;
        needed.add(id);
        return PLACEHOLDER;
      },
    }),
    /** Makes media that appeared in the target comparable. */
    async learnMedia(): Promise<void> {
      for (const media of target.side.media.values()) {
        if (!targetKeys.has(media.id)) targetKeys.set(media.id, await hashOf(target.side, media));
      }
    },
  };
}

/** The id of what does not exist yet, in values that are not sent. */
const PLACEHOLDER = 1;
