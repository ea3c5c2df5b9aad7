import { targetsOf } from '../../../models/field-types/reference.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import { formatsOf } from '../../../models/formats.ts';
import { referenceFields } from '../../../models/reference-paths.ts';
import type { ModelMap } from '../../../models/types.ts';
import { hashText } from '../../../shared/hash-text.ts';

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
