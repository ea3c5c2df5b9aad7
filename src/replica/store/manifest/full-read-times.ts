import type { ModelMap } from '../../../models/types.ts';
import { ageSince } from '../../age.ts';
import type { Manifest } from './manifest.ts';
import { storedModelKey } from './stored-model-key.ts';

/** How long ago the oldest full read of a model was; `undefined` if a model was never read in full. */
export function ageOf(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const isStored = (model: string) => Object.hasOwn(manifest.models, storedModelKey(models, model));
  return Object.keys(models).every(isStored) ? ageOfStored(models, manifest, now) : undefined;
}

/** The same of the models that are stored: others may be new in the map. `undefined` if none is. */
export function ageOfStored(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const ages = Object.keys(models).flatMap((model) => {
    const stored = manifest.models[storedModelKey(models, model)];
    return stored ? [ageSince(stored.readAt, now)] : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}
