import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import { MemoryReplica } from '../../../src/replica/memory/memory-replica.ts';
import { SegmentItems } from '../../../src/replica/memory/segment-items.ts';
import type { Manifest } from '../../../src/replica/store/manifest.ts';
import { encode } from '../../../src/replica/store/segments.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { content } from '../wire-items.ts';

export const models = {
  author: { name: field.text() },
  article: { by: field.reference('author'), cover: field.media() },
};

export const author = (id: number) => content(id, { _model: 'author', name: `author ${id}` });
export const article = (id: number, by: number | null = null, cover: object | null = null) =>
  content(id, { by, cover });

/** The items of each model, one list per segment. */
export type Segments = { readonly [model in keyof typeof models]?: readonly (readonly WireContent[])[] };

function segmentOf(model: string, items: readonly WireContent[]): SegmentItems {
  const { segment, body } = encode(items);
  return new SegmentItems(model, segment, new TextEncoder().encode(body));
}

/** A replica of these items. */
export function memoryReplica(segments: Segments, manifest: Partial<Manifest> = {}): MemoryReplica {
  return new MemoryReplica(
    models,
    { ...emptyManifest(), ...manifest },
    new Map(
      Object.entries(segments).map(([model, parts]) => [
        model,
        parts.map((items) => segmentOf(model, items)),
      ]),
    ),
  );
}
