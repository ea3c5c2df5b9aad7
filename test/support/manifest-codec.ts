import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import { decodeManifest, encodeManifest } from '../../src/replica/store/manifest/signed-manifest.ts';
import { openNodeCrypto } from '../../src/replica/store/node-crypto.ts';

/** Signs and checks manifests of a snapshot and a model map, as who has the key can. */
export function manifestCodec(apiKey: string, identity: string, map: string) {
  const crypto = openNodeCrypto(apiKey);
  return {
    encode: (manifest: Manifest) => encodeManifest(manifest, { identity, map }, crypto),
    decode: (signed: string) => decodeManifest(signed, { identity, map }, crypto),
  };
}
