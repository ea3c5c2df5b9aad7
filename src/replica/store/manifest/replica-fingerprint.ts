import type { ModelMap } from '../../../models/types.ts';
import { hashText } from '../../../shared/hash-text.ts';
import type { Manifest } from './manifest.ts';
import { storedModelKey } from './stored-model-key.ts';

/** Equal for equal content. */
export function replicaFingerprint(models: ModelMap, manifest: Manifest): string {
  const segments = Object.keys(models).map((model) =>
    manifest.models[storedModelKey(models, model)]?.segments.map(({ hash }) => hash),
  );
  return hashText(JSON.stringify([segments, manifest.removed]));
}
