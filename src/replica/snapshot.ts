import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import type { Storage } from 'unstorage';
import { isHash, type Manifest, manifestCodec } from './manifest.ts';
import { hashOf } from './segments.ts';

/** What a snapshot is of. Whatever could change an answer is part of it, so that drafts never leak. */
export interface SnapshotOf {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly lang: string | undefined;
}

const VERSION = 4;

/** A write waits for the disk or the network, most of its time. More would hold more bytes at once. */
const CONCURRENT_WRITES = 4;

export const NOTHING: Manifest = {
  generation: 0,
  models: {},
  heads: {},
  gone: [],
  alts: {},
  settled: true,
  leaving: [],
};

export interface Snapshot {
  /** The newest manifest that is authentic, an empty one if there is none. */
  load(): Promise<{ manifest: Manifest; damaged: boolean }>;
  /** The text of a segment, or `undefined`. */
  segment(hash: string): Promise<string | undefined>;
  /**
   * Segments first, the manifest last: a reader sees the state before or after, never between. Stores
   * nothing if another commit came first, whose state is at least as new.
   */
  commit(manifest: Manifest, segments: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * A state lies under a name of its own that begins with its generation, and readers take the highest.
 * So nobody locks, and a writer that was overtaken adds a state that is never read.
 */
export function openSnapshot(storage: Storage, of: SnapshotOf): Snapshot {
  const identity = JSON.stringify([
    VERSION,
    of.baseUrl,
    hashOf(of.apiKey),
    of.space ?? null,
    of.lang ?? null,
  ]);
  const codec = manifestCodec(of.apiKey, identity);
  const base = `v${VERSION}:${hashOf(identity).slice(0, 40)}`;
  const manifests = `${base}:manifest`;
  const segments = `${base}:segment`;

  /** The last parts of the keys that begin with another: of manifests, the newest first. */
  const list = async (prefix: string) => {
    const keys = await storage.getKeys(prefix);
    return keys.map((key) => key.slice(key.lastIndexOf(':') + 1)).sort((a, b) => (a < b ? 1 : -1));
  };
  const read = async (key: string) => textOf(await storage.getItemRaw(key));
  /** A manifest under another name than its own would pass for newer than it is. */
  const parse = (name: string, text: string | undefined) => {
    const manifest = text === undefined ? undefined : codec.decode(text);
    return manifest?.generation === generationOf(name) ? manifest : undefined;
  };

  return {
    async load() {
      let damaged = false;
      for (const name of await list(manifests)) {
        const text = await read(`${manifests}:${name}`);
        const manifest = parse(name, text);
        if (manifest) return { manifest, damaged };
        // One that is gone by now was removed by another process: that is not damage.
        damaged ||= text !== undefined;
      }
      return { manifest: NOTHING, damaged };
    },

    // What cannot be read is fetched again, like what is not there.
    segment: (hash) => read(`${segments}:${hash}`).catch(() => undefined),

    async commit(manifest, written) {
      const slots = pLimit(CONCURRENT_WRITES);
      // None goes on when this is over, also where another of them fails.
      const writes = await Promise.allSettled(
        [...written].map(([hash, body]) => slots(() => storage.setItemRaw(`${segments}:${hash}`, body))),
      );
      for (const write of writes) if (write.status === 'rejected') throw write.reason;
      const { generation, models, leaving: unused } = manifest;
      for (const name of (await list(manifests)).filter((one) => generationOf(one) >= generation)) {
        if (parse(name, await read(`${manifests}:${name}`))) return;
        // Damaged or forged: it would hide what is stored now.
        await storage.removeItem(`${manifests}:${name}`);
      }
      const named = new Set(segmentsOf(models));
      const leaving = (await list(segments)).filter((hash) => isHash(hash) && !named.has(hash));
      const name = `${String(generation).padStart(12, '0')}-${randomBytes(6).toString('hex')}`;
      await storage.setItemRaw(`${manifests}:${name}`, codec.encode({ ...manifest, leaving }));
      await sweep(manifest, unused);
    },
  };

  /**
   * Removes manifests that were overtaken twice, and of the segments that nobody should need any more
   * those that no manifest names.
   */
  async function sweep({ generation }: Manifest, candidates: readonly string[]): Promise<void> {
    const all = await list(manifests);
    const isOld = (name: string) => generationOf(name) < generation - 1;
    await Promise.all(all.filter(isOld).map((name) => storage.removeItem(`${manifests}:${name}`)));
    if (candidates.length === 0) return;
    const kept = await Promise.all(
      all.filter((name) => !isOld(name)).map(async (name) => parse(name, await read(`${manifests}:${name}`))),
    );
    const used = new Set(kept.flatMap((manifest) => (manifest ? segmentsOf(manifest.models) : [])));
    await Promise.all(
      candidates.filter((hash) => !used.has(hash)).map((hash) => storage.removeItem(`${segments}:${hash}`)),
    );
  }
}

function generationOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

function segmentsOf(models: Manifest['models']): string[] {
  return Object.values(models).flatMap(({ segments }) => segments.map(({ hash }) => hash));
}

/** Drivers give raw items as text, bytes, or a number or object where the text happens to be JSON. */
function textOf(raw: unknown): string | undefined {
  if (raw === null || raw === undefined) return undefined;
  if (typeof raw === 'string') return raw;
  if (raw instanceof Uint8Array) return new TextDecoder().decode(raw);
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw);
}
