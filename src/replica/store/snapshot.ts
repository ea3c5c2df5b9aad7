import { randomBytes } from 'node:crypto';
import type { Storage } from 'unstorage';
import { NO_HISTORY } from './change-history.ts';
import { startJournal } from './journal.ts';
import { isHash, type Manifest } from './manifest.ts';
import { manifestCodec } from './manifest-codec.ts';
import { SegmentWriter } from './segment-writer.ts';
import { hashOf, type SegmentBody } from './segments.ts';
import {
  generationOf,
  identityOf,
  mapName,
  mapOf,
  modelKeysText,
  type SnapshotOf,
  signerOf,
  storageKeys,
  textOf,
  VERSION,
} from './snapshot-names.ts';
import { dayIn, dayOf, isUnused, removeUnusedSnapshots } from './unused-snapshots.ts';

/** The manifest before the first sync. */
export function emptyManifest(): Manifest {
  return {
    generation: 0,
    models: {},
    heads: null,
    neverPublished: null,
    gone: [],
    undeclared: [],
    undeclaredInMain: [],
    undeclaredMissing: [],
    undeclaredTotal: null,
    alts: {},
    settled: true,
    unconfirmed: { items: [], models: [] },
    journal: startJournal(),
    follows: null,
    history: NO_HISTORY,
    facts: null,
    leaving: [],
  };
}

export interface Loaded {
  readonly manifest: Manifest;
  /** A stored manifest is not what was written. */
  readonly damaged: boolean;
  /** The manifest was stored for another model map. */
  readonly modelMapChanged: boolean;
}

export interface Snapshot {
  /** The newest manifest that is authentic, an empty one if there is none. */
  load(): Promise<Loaded>;
  /** The body of a segment, or `undefined`. */
  segment(hash: string): Promise<SegmentBody | undefined>;
  /** Writes segments before a commit. No manifest refers to them yet. */
  openWriter(): SegmentWriter;
  /**
   * Writes the rest of the segments first and the manifest last, so that a reader never sees a partial commit. Stores
   * nothing if another commit came first: the next sync starts from that, whichever of them was read later.
   */
  commit(manifest: Manifest, segments: ReadonlyMap<string, string>, now: number): Promise<void>;
}

/**
 * Each manifest has a unique name that starts with its generation, and readers use the highest. So no locks are needed,
 * and a writer that was overtaken adds a manifest that is never read. Sites with other models share the segments.
 */
export function openSnapshot(storage: Storage, of: SnapshotOf): Snapshot {
  const identity = identityOf(of, hashOf(of.apiKey));
  const { manifests, segments } = storageKeys(hashOf(identity));
  const ours = mapName(hashOf(modelKeysText(of.modelKeys)));

  /** The last parts of the keys that begin with another: of manifests, the newest first. */
  const list = async (prefix: string) => {
    const keys = await storage.getKeys(prefix);
    return keys.map((key) => key.slice(key.lastIndexOf(':') + 1)).sort((a, b) => (a < b ? 1 : -1));
  };
  const read = async (key: string) => textOf(await storage.getItemRaw(key));
  /** A manifest under another name could pass for newer than it is. */
  const parse = (name: string, text: string | undefined) => {
    if (text === undefined) return undefined;
    const manifest = manifestCodec(of.apiKey, signerOf(identity, mapOf(name))).decode(text);
    return manifest?.generation === generationOf(name) ? manifest : undefined;
  };
  const readManifest = async (name: string) => {
    const text = await read(`${manifests}:${name}`);
    return { name, manifest: parse(name, text), exists: text !== undefined };
  };

  const openWriter = () => new SegmentWriter((hash, body) => storage.setItemRaw(`${segments}:${hash}`, body));

  return {
    openWriter,

    async load() {
      let damaged = false;
      const names = await list(manifests);
      for (const name of names.filter((one) => mapOf(one) === ours)) {
        const { manifest, exists } = await readManifest(name);
        if (manifest) return { manifest, damaged, modelMapChanged: false };
        // One that no longer exists was removed by another process: that is not damage.
        damaged ||= exists;
      }
      const manifest = await loadFromOtherMap(names);
      return { manifest: manifest ?? emptyManifest(), damaged, modelMapChanged: manifest !== undefined };
    },

    // What cannot be read is fetched again, like what does not exist.
    async segment(hash) {
      const raw: unknown = await storage.getItemRaw(`${segments}:${hash}`).catch(() => undefined);
      return raw instanceof Uint8Array ? raw : textOf(raw);
    },

    async commit(manifest, written, now) {
      const writer = openWriter();
      for (const [hash, body] of written) await writer.set(hash, body);
      await writer.end();
      const { generation, leaving: unused } = manifest;
      const names = (await list(manifests)).filter((one) => mapOf(one) === ours);
      for (const name of names.filter((one) => generationOf(one) >= generation)) {
        if ((await readManifest(name)).manifest) return;
        // Damaged or forged: it would take precedence over what is stored now.
        await storage.removeItem(`${manifests}:${name}`);
      }
      const named = new Set(filesOf(manifest));
      const leaving = (await list(segments)).filter((hash) => isHash(hash) && !named.has(hash));
      const name = [
        String(generation).padStart(12, '0'),
        ours,
        dayOf(now),
        randomBytes(6).toString('hex'),
      ].join('-');
      const codec = manifestCodec(of.apiKey, signerOf(identity, ours));
      await storage.setItemRaw(`${manifests}:${name}`, codec.encode({ ...manifest, leaving }));
      await removeUnused(manifest, unused, now);
      if (names.every((one) => dayIn(one) !== dayOf(now))) await removeUnusedSnapshots(storage, VERSION, now);
    },
  };

  /**
   * Without a manifest for this model map: what another map has stored of the same models. The others are read like
   * models that are new in the map.
   */
  async function loadFromOtherMap(names: readonly string[]): Promise<Manifest | undefined> {
    const newest = [...new Map(names.map((name) => [mapOf(name), name] as const).reverse()).values()];
    const candidates = (await Promise.all(newest.map(readManifest))).flatMap(
      ({ manifest }) => manifest ?? [],
    );
    const sharedBy = ({ models }: Manifest) => of.modelKeys.filter((key) => Object.hasOwn(models, key));
    const [best] = candidates.sort(
      (a, b) =>
        sharedBy(b).length - sharedBy(a).length || cursorOf(b) - cursorOf(a) || readAtOf(b) - readAtOf(a),
    );
    if (!best || sharedBy(best).length === 0) return undefined;
    const models = Object.fromEntries(
      sharedBy(best).flatMap((key) => {
        const known = best.models[key];
        return known ? [[key, known] as const] : [];
      }),
    );
    return { ...best, models, heads: null, undeclaredTotal: null, facts: null, leaving: [] };
  }

  /**
   * Removes manifests that are two generations old or of an unused model map, and those segments of `candidates` that
   * no manifest refers to.
   */
  async function removeUnused(
    { generation }: Manifest,
    candidates: readonly string[],
    now: number,
  ): Promise<void> {
    const all = await list(manifests);
    const isOld = (name: string) =>
      mapOf(name) === ours ? generationOf(name) < generation - 1 : isUnused(name, now);
    await Promise.all(all.filter(isOld).map((name) => storage.removeItem(`${manifests}:${name}`)));
    if (candidates.length === 0) return;
    const kept = await Promise.all(all.filter((name) => !isOld(name)).map(readManifest));
    const used = new Set(kept.flatMap(({ manifest }) => (manifest ? filesOf(manifest) : [])));
    await Promise.all(
      candidates.filter((hash) => !used.has(hash)).map((hash) => storage.removeItem(`${segments}:${hash}`)),
    );
  }
}

function cursorOf({ models }: Manifest): number {
  return Math.max(0, ...Object.values(models).map(({ cursor }) => cursor?.updated ?? 0));
}

/** When the model was read in full whose last full read is the longest ago. Shows what moves no time, as media may. */
function readAtOf({ models }: Manifest): number {
  return Math.min(...Object.values(models).map(({ readAt }) => readAt));
}

/** The names of everything that a manifest refers to. */
function filesOf({ models, facts }: Manifest): string[] {
  const segments = Object.values(models).flatMap((model) => model.segments.map(({ hash }) => hash));
  return facts ? [...segments, facts.hash] : segments;
}
