import type { LoaderContext } from 'astro/loaders';
import type { CollectedEntries } from '../../entries/collection.ts';
import type { SpaceCore } from '../../space/space.ts';
import { allReplicas, type LanguageReplicas } from './sync-languages.ts';

/** Equal as long as equal content becomes equal entries. */
export function configurationFingerprint(
  { settings }: SpaceCore,
  data: string,
  /** Of the options of every collection that decides ids here. */
  rules: readonly string[],
): string {
  return `${JSON.stringify(settings.languages)} ${data} ${rules.join(' ')}`;
}

/** Equal as long as a load would store the same entries. */
export function collectionFingerprint(
  configuration: string,
  replicas: LanguageReplicas,
  /** The entries, if an `id` function took part: only its results show what it does. */
  collected: CollectedEntries | undefined,
): string {
  const content = allReplicas(replicas).map(({ fingerprint }) => fingerprint);
  return `${configuration} ${content.join(' ')} ${collected ? allIds(collected) : ''}`;
}

/** Every id in the entries: their own, and those of neighbours and references. */
function allIds({ entries }: CollectedEntries): string {
  return JSON.stringify(entries.map(({ id, item, computed }) => [id, item._id, computed]));
}

type Meta = Pick<LoaderContext['meta'], 'get' | 'set'>;
const KEY = 'astro-luid:state';

/** Whether the store was filled with this fingerprint. Astro clears the store and its metadata together. */
export function isStored(meta: Meta, fingerprint: string): boolean {
  return meta.get(KEY) === fingerprint;
}

/** `undefined`: the next load has to fill the store again. */
export function storeFingerprint(meta: Meta, fingerprint: string | undefined): void {
  meta.set(KEY, fingerprint ?? '');
}
