/** Identifies a snapshot. Includes whatever could change a response, so that drafts never leak. */
export interface SnapshotOf {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly lang: string | undefined;
  /** Of all models, see `storedModelKey`: sites with other models have another manifest. */
  readonly modelKeys: readonly string[];
}

/** The version of the format. */
export const VERSION = 6;

// What is hashed here is hashed by the caller: builds use Node's hashes, servers those of the web platform.

export function identityOf({ baseUrl, space, lang }: SnapshotOf, apiKeyHash: string): string {
  return JSON.stringify([VERSION, baseUrl, apiKeyHash, space ?? null, lang ?? null]);
}

/** Where the manifests and segments of a snapshot are stored. */
export function storageKeys(identityHash: string) {
  const base = `v${VERSION}:${identityHash.slice(0, 40)}`;
  return { manifests: `${base}:manifest`, segments: `${base}:segment` };
}

export function modelKeysText(modelKeys: readonly string[]): string {
  return JSON.stringify([...modelKeys].sort());
}

/** How a model map is named in the names of manifests, by the hash of its keys. */
export function mapName(modelKeysHash: string): string {
  return modelKeysHash.slice(0, 16);
}

/** Of whom a manifest is: see `signedText`. */
export function signerOf(identity: string, map: string): string {
  return `${identity} ${map}`;
}

/** The generation of a manifest, from its name. */
export function generationOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

/** The name of the model map of a manifest. */
export function mapOf(name: string): string {
  return name.split('-')[1] ?? '';
}

/** Drivers return raw items as strings, bytes, or a number or object if the string happens to be JSON. */
export function textOf(raw: unknown): string | undefined {
  if (raw === null || raw === undefined) return undefined;
  if (typeof raw === 'string') return raw;
  if (raw instanceof Uint8Array) return new TextDecoder().decode(raw);
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw);
}
