import { randomBytes } from 'node:crypto';
import type { Storage } from 'unstorage';
import { hashOf, type Segment } from './segments.ts';

/** What a snapshot is of. Whatever could change an answer is part of it, so that drafts never leak. */
export interface SnapshotOf {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly lang: string | undefined;
}

/** How far a model is known: everything that happened before these times of the service. */
export interface Cursor {
  readonly updated: number;
  readonly published: number;
}

export interface ModelState {
  readonly segments: readonly Segment[];
  readonly cursor: Cursor;
  /** When all of it was read last, by the local clock: only for the age of it. */
  readonly readAt: number;
}

export interface Manifest {
  /** One more than what it was made from: of two, the larger is the newer. */
  readonly generation: number;
  /** By model and the formats of its texts. */
  readonly models: { readonly [name: string]: ModelState };
  /** What the newest items looked like, by the models that were asked for: equal again if nothing changed. */
  readonly heads: { readonly [models: string]: string };
  /** Items that are gone while others may still refer to them; until all is read again. */
  readonly gone: readonly number[];
  /** Alternative texts that were seen last, by media URL, while others may still hold an older one. */
  readonly alts: { readonly [url: string]: string };
  /** Segments that the manifest before had and this one has not: a reader may still be reading them. */
  readonly leaving: readonly string[];
}

const VERSION = 2;
const NOTHING: Manifest = { generation: 0, models: {}, heads: {}, gone: [], alts: {}, leaving: [] };

export interface Snapshot {
  /** The newest manifest that is whole; an empty one if there is none. */
  load(): Promise<{ manifest: Manifest; damaged: boolean }>;
  /** The text of a segment, or `undefined`. */
  segment(hash: string): Promise<string | undefined>;
  /** Segments first, the manifest last: a reader sees the state before or after, never between. */
  commit(manifest: Manifest, segments: ReadonlyMap<string, string>, unused: readonly string[]): Promise<void>;
}

/**
 * A state lies under a name of its own that begins with its generation, and readers take the highest.
 * So nobody locks, and a writer that was overtaken adds a state that is never read.
 */
export function openSnapshot(storage: Storage, of: SnapshotOf): Snapshot {
  const identity = [VERSION, of.baseUrl, hashOf(of.apiKey), of.space ?? null, of.lang ?? null];
  const base = `v${VERSION}:${hashOf(JSON.stringify(identity)).slice(0, 40)}`;
  const manifests = `${base}:manifest`;
  const segmentKey = (hash: string) => `${base}:segment:${hash}`;

  const names = async () => {
    const keys = await storage.getKeys(manifests);
    return keys.map((key) => key.slice(key.lastIndexOf(':') + 1)).sort((a, b) => (a < b ? 1 : -1));
  };
  const read = async (key: string) => textOf(await storage.getItemRaw(key));

  return {
    async load() {
      let damaged = false;
      for (const name of await names()) {
        const manifest = parseManifest(await read(`${manifests}:${name}`));
        if (manifest) return { manifest, damaged };
        damaged = true;
      }
      return { manifest: NOTHING, damaged };
    },

    segment: (hash) => read(segmentKey(hash)),

    async commit(manifest, segments, unused) {
      for (const [hash, body] of segments) await storage.setItemRaw(segmentKey(hash), body);
      const body = JSON.stringify(manifest);
      const name = `${String(manifest.generation).padStart(12, '0')}-${randomBytes(6).toString('hex')}`;
      await storage.setItemRaw(`${manifests}:${name}`, `${hashOf(body)}\n${body}`);
      await sweep(manifest, unused);
    },
  };

  /**
   * Removes manifests that were overtaken twice, and of the segments that nobody should need any more
   * those that no manifest names. Others' segments whose manifest is still to come are never among them.
   */
  async function sweep({ generation }: Manifest, candidates: readonly string[]): Promise<void> {
    const all = await names();
    const isOld = (name: string) => Number(name.split('-')[0]) < generation - 1;
    await Promise.all(all.filter(isOld).map((name) => storage.removeItem(`${manifests}:${name}`)));
    if (candidates.length === 0) return;
    const kept = await Promise.all(
      all
        .filter((name) => !isOld(name))
        .map(async (name) => parseManifest(await read(`${manifests}:${name}`))),
    );
    const used = new Set(kept.flatMap((manifest) => (manifest ? segmentsOf(manifest.models) : [])));
    await Promise.all(
      candidates.filter((hash) => !used.has(hash)).map((hash) => storage.removeItem(segmentKey(hash))),
    );
  }
}

export function segmentsOf(models: Manifest['models']): string[] {
  return Object.values(models).flatMap(({ segments }) => segments.map(({ hash }) => hash));
}

function parseManifest(text: string | undefined): Manifest | undefined {
  const end = text?.indexOf('\n') ?? -1;
  if (text === undefined || end === -1) return undefined;
  const body = text.slice(end + 1);
  return text.slice(0, end) === hashOf(body) ? (JSON.parse(body) as Manifest) : undefined;
}

/** Drivers give raw items as text, bytes, or a number or object where the text happens to be JSON. */
function textOf(raw: unknown): string | undefined {
  if (raw === null || raw === undefined) return undefined;
  if (typeof raw === 'string') return raw;
  if (raw instanceof Uint8Array) return new TextDecoder().decode(raw);
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw);
}
