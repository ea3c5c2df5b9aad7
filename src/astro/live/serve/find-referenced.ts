import { LuidConfigError } from '../../../shared/errors.ts';
import type { CollectionSettings } from '../../collection/options/loader-options.ts';
import type { ServedCollection } from './served-collection.ts';

/** Where a reference leads to. */
export interface Referenced {
  /** The name of a collection. */
  readonly name: string;
  /** The models that the field accepts; `undefined`: all. */
  readonly targets: readonly string[] | undefined;
  /** Whether the entry that has the reference is a draft. */
  readonly drafts: boolean;
}

type Problem =
  | { readonly problem: 'unknown'; readonly name: string; readonly known: readonly string[] }
  | { readonly problem: 'ambiguous'; readonly name: string; readonly count: number };

/**
 * Finds a collection by its name. Astro passes the name of a collection when it is used. Before that, it is the one
 * without a name that the reference accepts; several are equally good if they have the same options.
 */
export function findReferenced(
  collections: Iterable<ServedCollection>,
  { name, targets, drafts }: Referenced,
): { readonly collection: ServedCollection } | Problem {
  const all = [...collections];
  const inSameContent = (found: readonly ServedCollection[]) => {
    const same = found.filter(({ settings }) => settings.drafts === drafts);
    return same.length > 0 ? same : found;
  };
  // A dev server defines collections again after each change of live.config.
  const named = inSameContent(all.filter((one) => one.name === name)).at(-1);
  if (named) return { collection: named };
  const possible = inSameContent(
    all.filter((one) => one.name === undefined && (!targets || targets.includes(one.settings.model))),
  );
  const collection = possible.at(-1);
  if (!collection) return { problem: 'unknown', name, known: all.flatMap((one) => one.name ?? []) };
  if (new Set(possible.map(({ settings }) => settings.fingerprint)).size > 1)
    return { problem: 'ambiguous', name, count: possible.length };
  return { collection };
}

export function referenceError(
  place: string,
  { model }: CollectionSettings,
  luid: string,
  found: Problem,
): LuidConfigError {
  const name = JSON.stringify(found.name);
  if (found.problem === 'unknown') {
    return new LuidConfigError(
      `${place}: references.${luid} leads to ${name}, which is not a live collection of this space that is served from the replica`,
      { model, field: luid, hint: `Use one of ${found.known.join(', ') || 'those in src/live.config.ts'}.` },
    );
  }
  return new LuidConfigError(
    `${place}: references.${luid} leads to ${name}, and it is not known yet which of ${found.count} live collections that is`,
    {
      model,
      field: luid,
      hint: 'Set `revalidate: true` in the integration, with which the names are known before pages are rendered.',
    },
  );
}
