import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import { referenceFields } from '../../models/reference-paths.ts';
import type { ModelMap } from '../../models/types.ts';

/** What the key of a model depends on, to be hashed. */
export function modelKeyText(models: ModelMap, model: string): string {
  const fields = fieldsOf(models, model);
  const formats = Object.entries(formatsOf(fields)).sort();
  const references = referenceFields(fields)
    .map(([path, field]) => [path, targetsOf(field) ?? null])
    .sort();
  return JSON.stringify([formats, references]);
}

/** The key of a model, with the hash of that text. */
export function modelKey(model: string, hash: string): string {
  // No LUID contains an `@`, so no key is the name of an inherited property.
  return `${model}@${hash.slice(0, 16)}`;
}
