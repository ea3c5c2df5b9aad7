import type { CollectionRule } from '../../entries/collection.ts';
import { LuidConfigError } from '../../errors.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { LoaderPlan } from './loader-options.ts';

/** The plans of all collections of a space, for references between them. Astro starts all loaders at once. */
const plans = new WeakMap<object, Map<string, LoaderPlan>>();

export function plansOf(space: SpaceCore): Map<string, LoaderPlan> {
  const known = plans.get(space) ?? new Map<string, LoaderPlan>();
  plans.set(space, known);
  return known;
}

/** Where the references of a collection lead, by field. */
export function referencesOf(
  space: SpaceCore,
  plan: LoaderPlan,
  own: string,
): Map<string, { collection: string; rule: CollectionRule }> {
  const known = plansOf(space);
  return new Map(
    Object.entries(plan.references).map(([luid, collection]) => {
      const rule = known.get(collection)?.rule;
      if (!rule) {
        throw new LuidConfigError(
          `${own}: references.${luid} leads to ${JSON.stringify(collection)}, which is not a collection of this space`,
          {
            field: luid,
            hint: `Use one of ${[...known.keys()].join(', ')}.`,
          },
        );
      }
      return [luid, { collection, rule }] as const;
    }),
  );
}

/** The plans that decide on the ids in a collection: its own, and those of the collections that it refers to. */
export function namingPlans(space: SpaceCore, plan: LoaderPlan): LoaderPlan[] {
  const known = plansOf(space);
  return [plan, ...Object.values(plan.references).flatMap((collection) => known.get(collection) ?? [])];
}
