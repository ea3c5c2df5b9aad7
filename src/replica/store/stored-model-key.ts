import type { ModelMap } from '../../models/types.ts';
import { modelKey, modelKeyText } from './model-key.ts';
import { hashOf } from './segments.ts';

/**
 * The key of a model in a manifest: its LUID and a fingerprint of its formats and references. With others, its items
 * were read and repaired in another way.
 */
export function storedModelKey(models: ModelMap, model: string): string {
  return modelKey(model, hashOf(modelKeyText(models, model)));
}
