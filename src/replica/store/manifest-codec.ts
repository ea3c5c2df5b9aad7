import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  formatManifest,
  type Manifest,
  parseManifest,
  SIGNING_PURPOSE,
  signedText,
  splitSigned,
} from './manifest.ts';

/**
 * Signs manifests with a key derived from the API key, and checks them. A cache may be writable by others (a CI cache,
 * a bucket), who cannot forge its content. Segments are named by their hash, so the signature covers them too.
 */
export interface ManifestCodec {
  encode(manifest: Manifest): string;
  /** The manifest, or `undefined` if it is damaged, forged, malformed or of another snapshot. */
  decode(signed: string): Manifest | undefined;
}

/** `identity` names the snapshot, so that a manifest of another one does not pass for it. */
export function manifestCodec(apiKey: string, identity: string): ManifestCodec {
  const key = createHmac('sha256', apiKey).update(SIGNING_PURPOSE).digest();
  const sign = (text: string) => createHmac('sha256', key).update(signedText(identity, text)).digest('hex');

  return {
    encode(manifest) {
      const text = formatManifest(manifest);
      return `${sign(text)}\n${text}`;
    },
    decode(signed) {
      const { signature, text } = splitSigned(signed);
      const [actual, wanted] = [Buffer.from(signature), Buffer.from(sign(text))];
      if (actual.length !== wanted.length || !timingSafeEqual(actual, wanted)) return undefined;
      return parseManifest(text);
    },
  };
}
