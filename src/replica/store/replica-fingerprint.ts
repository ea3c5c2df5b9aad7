import type { ModelMap } from '../../models/types.ts';
import type { Manifest } from './manifest.ts';
import { hashOf } from './segments.ts';
import { storedModelKey } from './stored-model-key.ts';

/** Equal for equal content. */
export function replicaFingerprint(models: ModelMap, manifest: Manifest): string {
  const { gone, undeclared, undeclaredInMain, alts } = manifest;
  const segments = Object.keys(models).map((model) =>
    manifest.models[storedModelKey(models, model)]?.segments.map(({ hash }) => hash),
  );
  return hashOf(JSON.stringify([segments, gone, undeclared, undeclaredInMain, alts]));
}
