import type { SegmentBody } from '../segments/segments.ts';
import { type SnapshotNames, textOf } from '../snapshot-names.ts';
import type { Manifest } from './manifest.ts';

type MaybeAsync<T> = T | Promise<T>;

/** What reading takes. Builds use Node's, which is not asynchronous; servers what the web platform has. */
export interface SnapshotCrypto {
  sha256(data: SegmentBody): MaybeAsync<string>;
  /** Whether a text was signed with a key that is derived from the API key. */
  verify(text: string, signature: string): MaybeAsync<boolean>;
  /** `undefined` if it is damaged. What is not encrypted is returned as it is. */
  decrypt(body: SegmentBody): MaybeAsync<SegmentBody | undefined>;
}

/** What the key of the signature is derived for. */
export const SIGNING_PURPOSE = 'astro-luid cache manifest';

/** A manifest belongs to a snapshot and a model map. */
type Owner = Pick<SnapshotNames, 'identity' | 'map'>;

/**
 * Signs a manifest with a key derived from the API key: its signature, a line break and its text. A cache may be writable
 * by others (a CI cache, a bucket), who cannot forge its content: segments are named by their hash, so the signature covers
 * them too. Where there were drafts, it is encrypted: it contains ids.
 */
export function encodeManifest(
  manifest: Manifest,
  owner: Owner,
  { sign, encrypt }: { sign(text: string): string; encrypt(text: string): string },
): string {
  const plain = JSON.stringify(manifest);
  const text = manifest.isEncrypted ? encrypt(plain) : plain;
  return `${sign(signedText(owner, text))}\n${text}`;
}

/**
 * The manifest, or `undefined` if it is damaged, forged or of another owner. The owner names the version of the format, so
 * what is signed for it needs no further checks.
 */
export async function decodeManifest(
  signed: string,
  owner: Owner,
  { verify, decrypt }: SnapshotCrypto,
): Promise<Manifest | undefined> {
  const end = signed.indexOf('\n');
  const [signature, text] = [signed.slice(0, Math.max(0, end)), signed.slice(end + 1)];
  if (!(await verify(signedText(owner, text), signature))) return undefined;
  const plain = await decrypt(text);
  return plain === undefined ? undefined : (JSON.parse(textOf(plain) as string) as Manifest);
}

/** What is signed, so that a manifest of another owner does not pass for this. */
function signedText({ identity, map }: Owner, text: string): string {
  return `${identity} ${map}\n${text}`;
}
