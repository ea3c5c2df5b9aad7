import { targetsOf } from '../../../models/field-types/reference.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import { formatsOf } from '../../../models/formats.ts';
import { referenceFields } from '../../../models/reference-paths.ts';
import type { ModelMap } from '../../../models/types.ts';
import { hashText } from '../../../shared/hash-text.ts';
import { ageSince } from '../../age.ts';
import type { Manifest, StoredModel } from './manifest.ts';

/**
 * The key of a model in a manifest: its LUID and a fingerprint of its formats and references. With others, its items
 * were read and repaired in another way.
 */
export function storedModelKey(models: ModelMap, model: string): string {
  const fields = fieldsOf(models, model);
  const formats = Object.entries(formatsOf(fields)).sort();
  const references = referenceFields(fields)
    .map(([path, field]) => [path, targetsOf(field) ?? null])
    .sort();
  // No LUID contains an `@`, so no key is the name of an inherited property.
  return `${model}@${hashText(JSON.stringify([formats, references])).slice(0, 16)}`;
}

export function storedModelKeys(models: ModelMap): string[] {
  return Object.keys(models).map((model) => storedModelKey(models, model));
}

/** What is stored of a model. */
export function storedModel(models: ModelMap, manifest: Manifest, model: string): StoredModel | undefined {
  return manifest.models[storedModelKey(models, model)];
}

/** Equal for equal content. */
export function replicaFingerprint(models: ModelMap, manifest: Manifest): string {
  const segments = Object.keys(models).map((model) =>
    storedModel(models, manifest, model)?.segments.map(({ hash }) => hash),
  );
  return hashText(JSON.stringify([segments, manifest.removed]));
}

/** How long ago the oldest full read of a model was; `undefined` if a model was never read in full. */
export function ageOf(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const isStored = (model: string) => storedModel(models, manifest, model) !== undefined;
  return Object.keys(models).every(isStored) ? ageOfStored(models, manifest, now) : undefined;
}

/** The same of the models that are stored: others may be new in the map. `undefined` if none is. */
export function ageOfStored(models: ModelMap, manifest: Manifest, now: number): number | undefined {
  const ages = Object.keys(models).flatMap((model) => {
    const stored = storedModel(models, manifest, model);
    return stored ? [ageSince(stored.readAt, now)] : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}
