import type { ModelMap } from '../../models/types.ts';
import { ageSince } from '../age.ts';
import type { Manifest } from './manifest.ts';
import { storedModelKey } from './stored-model-key.ts';

/** How long ago the oldest full read of a model was; `undefined` if a model was never read in full. */
export function ageOf(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const ages = fullReadTimes(models, manifest)?.map((time) => ageSince(time, now));
  return ages && Math.max(...ages);
}

/** The same of the models that are stored: others may be new in the map. `undefined` if none is. */
export function ageOfStored(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const ages = Object.keys(models).flatMap((model) => {
    const stored = manifest.models[storedModelKey(models, model)];
    return stored ? [ageSince(stored.readAt, now)] : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}

/** When the oldest full read of a model was. */
export function oldestFullRead(models: ModelMap, manifest: Manifest): number | undefined {
  const times = fullReadTimes(models, manifest);
  return times && Math.min(...times);
}

function fullReadTimes(models: ModelMap, manifest: Manifest): number[] | undefined {
  const times = Object.keys(models).map((model) => manifest.models[storedModelKey(models, model)]?.readAt);
  return times.every((time) => time !== undefined) ? times : undefined;
}
