import type { SegmentBody } from './segments/segments.ts';

/** Identifies a snapshot. Includes whatever could change a response, so that drafts never leak. */
export interface SnapshotOf {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly lang: string | undefined;
  /** Of all models, see `storedModelKey`: sites with other models have another manifest. */
  readonly modelKeys: readonly string[];
}

/** The version of the format of manifests and segments: increase it with each change. */
export const VERSION = 10;

export interface SnapshotNames {
  /** Names the snapshot of these models, equally on all machines. */
  readonly id: string;
  /** What manifests are signed for, besides their model map. */
  readonly identity: string;
  /** The name of the model map. */
  readonly map: string;
  /** Where manifests and segments are stored. */
  readonly manifests: string;
  readonly segments: string;
}

/** Where a snapshot is stored. */
export async function snapshotNames(
  { baseUrl, apiKey, space, lang, modelKeys }: SnapshotOf,
  sha256: (text: string) => string | Promise<string>,
): Promise<SnapshotNames> {
  const keyHash = await sha256(apiKey);
  const identity = JSON.stringify([VERSION, baseUrl, keyHash, space ?? null, lang ?? null]);
  const identityHash = await sha256(identity);
  const map = (await sha256(JSON.stringify([...modelKeys].sort()))).slice(0, 16);
  const base = `v${VERSION}:${identityHash.slice(0, 40)}`;
  const [manifests, segments] = [`${base}:manifest`, `${base}:segment`];
  return { id: `${identityHash}-${map}`, identity, map, manifests, segments };
}

/**
 * The name of a manifest, which sorts by generation, then by time: when the sync had read everything, by the local
 * clock. That decides between two commits of one generation only until one of the writers has synced again.
 */
export function manifestName(
  { generation, map, time }: { readonly generation: number; readonly map: string; readonly time: number },
  random: string,
): string {
  return [String(generation).padStart(12, '0'), map, String(time).padStart(13, '0'), random].join('-');
}

/** The generation of a manifest, from its name. */
export function generationOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

/** The name of the model map of a manifest. */
export function mapOf(name: string): string {
  return name.split('-')[1] ?? '';
}

/** The text of what a storage has returned, see `uniformStorage`. */
export function textOf(body: SegmentBody | null | undefined): string | undefined {
  if (body === null || body === undefined) return undefined;
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
