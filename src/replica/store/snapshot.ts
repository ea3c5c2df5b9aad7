import { randomBytes } from 'node:crypto';
import type { Storage } from 'unstorage';
import { createSnapshotReader, type SnapshotReader } from '../content/snapshot-reader.ts';
import { NO_HISTORY } from './manifest/change-history.ts';
import type { Manifest } from './manifest/manifest.ts';
import { encodeManifest } from './manifest/signed-manifest.ts';
import { openNodeCrypto } from './node-crypto.ts';
import { SegmentWriter } from './segments/segment-writer.ts';
import { generationOf, manifestName, mapOf, type SnapshotOf, VERSION } from './snapshot-names.ts';
import { dayIn, dayOf, isUnused, removeUnusedSnapshots } from './unused-snapshots.ts';

const SEGMENT_NAME = /^[0-9a-f]{64}$/;

/** The manifest before the first sync. */
export function emptyManifest(): Manifest {
  return {
    generation: 0,
    models: {},
    cursor: null,
    heads: null,
    removed: [],
    readAgain: [],
    main: null,
    history: NO_HISTORY,
    facts: null,
    pages: {},
    pageSizes: {},
    isEncrypted: false,
    unused: [],
  };
}

export interface Loaded {
  readonly manifest: Manifest;
  /** A stored manifest is not what was written. */
  readonly damaged: boolean;
  /** The manifest was stored for another model map. */
  readonly modelMapChanged: boolean;
}

export interface Snapshot extends Pick<SnapshotReader, 'segment'> {
  /** The newest manifest that is authentic, an empty one if there is none. */
  load(): Promise<Loaded>;
  /** A body as it is to be stored if others must not read it. */
  encrypt(body: string): string;
  /** Writes segments before a commit. No manifest refers to them yet. */
  openWriter(): SegmentWriter;
  /**
   * Writes a manifest after its segments, so that a reader never sees a partial commit, unless another commit came
   * first. Returns what others have committed meanwhile: only the service knows whether that is newer, so if its content
   * differs, sync again from what is stored.
   */
  commit(manifest: Manifest, now: number): Promise<readonly Manifest[]>;
}

/**
 * Each manifest has a unique name that starts with its generation, and readers use the highest: of one generation, that
 * of the later time. So no locks are needed. Sites with other models share the segments.
 */
export async function openSnapshot(storage: Storage, of: SnapshotOf): Promise<Snapshot> {
  const crypto = openNodeCrypto(of.apiKey);
  const { names, list, readManifest, segment } = await createSnapshotReader(storage, of, crypto);
  const isOurs = (name: string) => mapOf(name) === names.map;
  const remove = (name: string) => storage.removeItem(`${names.manifests}:${name}`);

  return {
    segment,
    encrypt: crypto.encrypt,
    openWriter: () =>
      new SegmentWriter((hash, body) => storage.setItemRaw(`${names.segments}:${hash}`, body)),

    async load() {
      let damaged = false;
      const all = await list();
      for (const name of all.filter(isOurs)) {
        const { manifest, exists } = await readManifest(name);
        if (manifest) return { manifest, damaged, modelMapChanged: false };
        // One that no longer exists was removed by another process: that is not damage.
        damaged ||= exists;
      }
      const manifest = await loadFromOtherMap(all);
      return { manifest: manifest ?? emptyManifest(), damaged, modelMapChanged: manifest !== undefined };
    },

    async commit(manifest, now) {
      const { generation } = manifest;
      const isSince = (name: string) => isOurs(name) && generationOf(name) >= generation;
      const before = (await list()).filter(isOurs);
      const earlier = await Promise.all(before.filter(isSince).map(readManifest));
      if (earlier.some((one) => one.manifest)) return earlier.flatMap((one) => one.manifest ?? []);
      // Damaged or forged: they would take precedence over what is stored now.
      await Promise.all(earlier.map(({ name }) => remove(name)));
      const name = manifestName({ generation, map: names.map, time: now }, randomBytes(6).toString('hex'));
      const complete = { ...manifest, unused: await unusedSegments(manifest) };
      await storage.setItemRaw(`${names.manifests}:${name}`, encodeManifest(complete, names, crypto));
      const all = await list();
      await removeUnused(all, manifest, now);
      if (before.every((one) => dayIn(one) !== dayOf(now)))
        await removeUnusedSnapshots(storage, VERSION, now);
      // Those that were written between the two listings.
      const others = await Promise.all(all.filter((one) => isSince(one) && one !== name).map(readManifest));
      return others.flatMap((one) => one.manifest ?? []);
    },
  };

  /** The hashes of stored segments that a manifest does not name. */
  async function unusedSegments(manifest: Manifest): Promise<string[]> {
    const named = new Set(filesOf(manifest));
    const keys = await storage.getKeys(names.segments);
    const stored = keys.map((key) => key.slice(key.lastIndexOf(':') + 1));
    return stored.filter((hash) => SEGMENT_NAME.test(hash) && !named.has(hash)).sort();
  }

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
        sharedBy(b).length - sharedBy(a).length || updatedOf(b) - updatedOf(a) || readAtOf(b) - readAtOf(a),
    );
    if (!best || sharedBy(best).length === 0) return undefined;
    const isShared = ([key]: readonly [string, unknown]) => of.modelKeys.includes(key);
    const models = Object.fromEntries(Object.entries(best.models).filter(isShared));
    return { ...best, models, heads: null, facts: null, pages: {}, unused: [] };
  }

  /**
   * Removes manifests that are two generations old or of an unused model map, and those segments that were unused
   * before this commit and that no manifest refers to.
   */
  async function removeUnused(
    all: readonly string[],
    { generation, unused }: Manifest,
    now: number,
  ): Promise<void> {
    const isOld = (name: string) =>
      isOurs(name) ? generationOf(name) < generation - 1 : isUnused(name, now);
    await Promise.all(all.filter(isOld).map(remove));
    if (unused.length === 0) return;
    const kept = await Promise.all(all.filter((name) => !isOld(name)).map(readManifest));
    const used = new Set(kept.flatMap(({ manifest }) => (manifest ? filesOf(manifest) : [])));
    await Promise.all(
      unused.filter((hash) => !used.has(hash)).map((hash) => storage.removeItem(`${names.segments}:${hash}`)),
    );
  }
}

const updatedOf = ({ cursor }: Manifest) => cursor?.updated ?? 0;

/** When the model was read in full whose last full read is the longest ago. Shows what moves no time, as media may. */
function readAtOf({ models }: Manifest): number {
  return Math.min(...Object.values(models).map(({ readAt }) => readAt));
}

/** The names of everything that a manifest refers to. */
function filesOf({ models, facts }: Manifest): string[] {
  const segments = Object.values(models).flatMap((model) => model.segments.map(({ hash }) => hash));
  return facts ? [...segments, facts.hash] : segments;
}
