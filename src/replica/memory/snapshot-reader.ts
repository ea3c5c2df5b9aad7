import type { Storage } from 'unstorage';
import type { ModelMap } from '../../models/types.ts';
import { type Manifest, parseManifest, SIGNING_PURPOSE, signedText, splitSigned } from '../store/manifest.ts';
import { modelKey, modelKeyText } from '../store/model-key.ts';
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
} from '../store/snapshot-names.ts';
import { openVerifier, sha256Hex } from './web-crypto.ts';

/** Reads a snapshot that a sync has stored: this one's, another server's or a build's. Runs on any server. */
export interface SnapshotReader {
  /** Names the snapshot, equally on all servers. */
  readonly id: string;
  /** The key of each model in the manifest. */
  readonly modelKeys: ReadonlyMap<string, string>;
  /** The newest manifest that is authentic and contains all models; `undefined` if there is none. */
  load(): Promise<Manifest | undefined>;
  /** The bytes of a segment; `undefined` if it is missing or not what was stored. */
  segment(hash: string): Promise<Uint8Array | undefined>;
}

export async function openSnapshotReader(
  storage: Storage,
  models: ModelMap,
  of: Omit<SnapshotOf, 'modelKeys'>,
): Promise<SnapshotReader> {
  const modelKeys = await keysOf(models);
  const identity = identityOf({ ...of, modelKeys: [] }, await sha256Hex(of.apiKey));
  const { manifests, segments } = storageKeys(await sha256Hex(identity));
  const ours = mapName(await sha256Hex(modelKeysText([...modelKeys.values()])));
  const verify = await openVerifier(of.apiKey, SIGNING_PURPOSE);

  const read = async (name: string): Promise<Manifest | undefined> => {
    const signed = textOf(await storage.getItemRaw(`${manifests}:${name}`));
    if (signed === undefined) return undefined;
    const { signature, text } = splitSigned(signed);
    if (!(await verify(signedText(signerOf(identity, ours), text), signature))) return undefined;
    const manifest = parseManifest(text);
    return manifest?.generation === generationOf(name) ? manifest : undefined;
  };

  return {
    id: `${await sha256Hex(identity)}-${ours}`,
    modelKeys,
    async load() {
      const keys = await storage.getKeys(manifests);
      const names = keys
        .map((key) => key.slice(key.lastIndexOf(':') + 1))
        .filter((name) => mapOf(name) === ours)
        .sort((a, b) => (a < b ? 1 : -1));
      for (const name of names) {
        const manifest = await read(name);
        const isComplete = [...modelKeys.values()].every(
          (key) => manifest && Object.hasOwn(manifest.models, key),
        );
        if (manifest && isComplete) return manifest;
      }
      return undefined;
    },
    async segment(hash) {
      const raw: unknown = await storage.getItemRaw(`${segments}:${hash}`);
      const bytes = raw instanceof Uint8Array ? raw : encodeText(textOf(raw));
      // On Node, other threads hash: a server with many segments starts sooner, and requests do not wait.
      return bytes && (await sha256Hex(bytes)) === hash ? bytes : undefined;
    },
  };
}

async function keysOf(models: ModelMap): Promise<Map<string, string>> {
  const keys = Object.keys(models).map(async (model) => {
    const hash = await sha256Hex(modelKeyText(models, model));
    return [model, modelKey(model, hash)] as const;
  });
  return new Map(await Promise.all(keys));
}

function encodeText(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text);
}
