import type { CollectionRule } from '../../entries/collection.ts';
import { LuidConfigError } from '../../errors.ts';
import type { LoadedCollection, SpaceRuntime } from '../../space/runtime.ts';
import type { LoaderPlan } from './loader-options.ts';

/** The collections that the reference fields of a collection point into, by field. */
export function referencesOf(
  { collections }: SpaceRuntime,
  plan: LoaderPlan,
  collection: string,
): Map<string, { collection: string; rule: CollectionRule }> {
  return new Map(
    Object.entries(plan.references).map(([luid, target]) => {
      const rule = collections.get(target)?.rule;
      if (!rule) {
        throw new LuidConfigError(
          `${collection}: references.${luid} leads to ${JSON.stringify(target)}, which is not a collection of this space`,
          {
            field: luid,
            hint: `Use one of ${[...collections.keys()].join(', ')}.`,
          },
        );
      }
      return [luid, { collection: target, rule }] as const;
    }),
  );
}

/** The collections that decide the ids in a collection: itself, and those that it refers to. */
export function collectionsWithIds({ collections }: SpaceRuntime, plan: LoaderPlan): LoadedCollection[] {
  return [plan, ...Object.values(plan.references).flatMap((name) => collections.get(name) ?? [])];
}
