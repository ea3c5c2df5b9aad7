import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import { SegmentItems } from '../../../src/replica/content/segment-items.ts';
import { Replica } from '../../../src/replica/replica.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { encode } from '../../../src/replica/store/segments/segments.ts';
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

/** A segment of these items, in memory as the bytes that were stored. */
async function segmentOf(model: string, items: readonly WireContent[]): Promise<SegmentItems> {
  const { segment, body } = encode(items);
  const inMemory = new SegmentItems(model, segment, async () => new TextEncoder().encode(body));
  await inMemory.read();
  return inMemory;
}

/** A replica of these items. */
export async function memoryReplica(segments: Segments, manifest: Partial<Manifest> = {}): Promise<Replica> {
  const made = Object.entries(segments).map(async ([model, parts]) => {
    const items = await Promise.all(parts.map((part) => segmentOf(model, part)));
    return [model, items] as const;
  });
  return new Replica({
    models,
    manifest: { ...emptyManifest(), ...manifest },
    fingerprint: '',
    segments: new Map(await Promise.all(made)),
    storedFacts: async () => new Map(),
  }).prepare();
}
