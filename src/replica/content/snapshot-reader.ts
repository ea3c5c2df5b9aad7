import type { Storage } from 'unstorage';
import type { ModelMap } from '../../models/types.ts';
import type { Manifest } from '../store/manifest/manifest.ts';
import { decodeManifest, type SnapshotCrypto } from '../store/manifest/signed-manifest.ts';
import { storedModelKeys } from '../store/manifest/stored-models.ts';
import type { SegmentBody } from '../store/segments/segments.ts';
import {
  generationOf,
  mapOf,
  type SnapshotNames,
  type SnapshotOf,
  snapshotNames,
  textOf,
} from '../store/snapshot-names.ts';
import { openWebCrypto } from './web-crypto.ts';

/** Reads a snapshot that a sync has stored: this one's, another server's or a build's. Runs on any server. */
export interface SnapshotReader {
  readonly names: SnapshotNames;
  /** The names of all manifests of the snapshot, also of other model maps, the newest first. */
  list(): Promise<string[]>;
  readManifest(name: string): Promise<StoredManifest>;
  /** The newest manifest that is authentic and contains all models; `undefined` if there is none. */
  load(): Promise<Manifest | undefined>;
  /** The body of a segment, decrypted; `undefined` if it is missing or not what was stored. */
  segment(hash: string): Promise<SegmentBody | undefined>;
}

export interface StoredManifest {
  readonly name: string;
  /** `undefined` if it is damaged, forged or of another snapshot. */
  readonly manifest: Manifest | undefined;
  readonly exists: boolean;
}

/** With what the web platform has. */
export async function openSnapshotReader(
  storage: Storage,
  models: ModelMap,
  of: Omit<SnapshotOf, 'modelKeys'>,
): Promise<SnapshotReader> {
  const modelKeys = storedModelKeys(models);
  return createSnapshotReader(storage, { ...of, modelKeys }, await openWebCrypto(of.apiKey));
}

export async function createSnapshotReader(
  storage: Storage,
  of: SnapshotOf,
  crypto: SnapshotCrypto,
): Promise<SnapshotReader> {
  const names = await snapshotNames(of, crypto.sha256);

  async function list(): Promise<string[]> {
    const keys = await storage.getKeys(names.manifests);
    return keys.map((key) => key.slice(key.lastIndexOf(':') + 1)).sort((a, b) => (a < b ? 1 : -1));
  }

  async function readManifest(name: string): Promise<StoredManifest> {
    const signed = textOf(await storage.getItemRaw<SegmentBody>(`${names.manifests}:${name}`));
    if (signed === undefined) return { name, manifest: undefined, exists: false };
    const manifest = await decodeManifest(signed, { ...names, map: mapOf(name) }, crypto);
    // Under another name it could pass for newer than it is.
    const isNamed = manifest?.generation === generationOf(name);
    return { name, manifest: isNamed ? manifest : undefined, exists: true };
  }

  return {
    names,
    list,
    readManifest,
    async load() {
      for (const name of await list()) {
        const { manifest } = mapOf(name) === names.map ? await readManifest(name) : {};
        if (manifest && of.modelKeys.every((key) => Object.hasOwn(manifest.models, key))) return manifest;
      }
      return undefined;
    },
    // What cannot be read is fetched again, like what does not exist.
    async segment(hash) {
      const key = `${names.segments}:${hash}`;
      const body = await storage.getItemRaw<SegmentBody>(key).catch(() => null);
      return body !== null && (await crypto.sha256(body)) === hash ? crypto.decrypt(body) : undefined;
    },
  };
}
