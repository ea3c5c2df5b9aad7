import type { WireContent } from '../../contract/content.ts';
import type { Entry } from '../../entries/collection.ts';
import { keepProperties } from '../../entries/kept-properties.ts';
import type { InvalidItem } from '../../entries/problems/content-errors.ts';
import type { Resolver } from '../../entries/reference-resolver.ts';
import type { MeasuredImages } from './collection-images.ts';
import type { LoaderPlan } from './loader-options.ts';

// How an entry is made, in builds and on servers alike.

type EntryPlan = Pick<LoaderPlan, 'depth' | 'kept' | 'shown'>;

/** The data of an entry, and its item with references resolved, which the body is rendered from. */
export interface EntryData {
  readonly data: Record<string, unknown>;
  readonly resolved: WireContent;
}

/** Resolves an entry, or returns what does not fit its model. */
export function resolveEntry(
  { depth, kept, shown }: EntryPlan,
  { item, computed, backlinks = [] }: Entry,
  resolver: Resolver,
): EntryData | { readonly invalid: readonly InvalidItem[] } {
  const invalid: InvalidItem[] = [];
  const onInvalid = (data: WireContent, issues: InvalidItem['issues']) => invalid.push({ data, issues });
  const resolved = resolver.resolve(item, depth, onInvalid, shown) as WireContent;
  const lists = backlinks.map(({ name, depth: ownDepth, items }) => [
    name,
    items.map((referrer) => resolver.resolve(referrer, ownDepth, onInvalid)),
  ]);
  if (invalid.length > 0) return { invalid };
  return { data: { ...keepProperties(resolved, kept), ...computed, ...Object.fromEntries(lists) }, resolved };
}

/**
 * What the digest of an entry is made of: everything that a page can see of it. `configuration` is the digest of
 * everything that decides how entries are made.
 */
export function digestText(
  configuration: string,
  { depth, shown }: EntryPlan,
  { item, computed, backlinks }: Entry,
  resolver: Resolver,
  images: MeasuredImages | undefined,
): string {
  const fingerprint = resolver.fingerprint(item, depth, shown);
  const text = `${configuration} ${fingerprint} ${JSON.stringify(computed)} ${images?.fingerprintOf(item)}`;
  if (!backlinks) return text;
  const lists = backlinks.map(({ depth: ownDepth, items }) =>
    items.map((referrer) => resolver.fingerprintHash(referrer, ownDepth)),
  );
  return `${text} ${JSON.stringify(lists)}`;
}
