import { SYSTEM_PROPERTIES, type WireContent } from '../contract/content.ts';
import type { ModelMap } from '../models/types.ts';

const SYSTEM: ReadonlySet<string> = new Set([...SYSTEM_PROPERTIES, '_prev', '_next', '_langs']);

/** One line a model whose content has fields that the map lacks. */
export function driftOf(models: ModelMap, items: Iterable<WireContent>, strict = false): string[] {
  const fate = strict ? 'they are left out' : 'they pass through untyped';
  const drift = new Map<string, Set<string>>();
  for (const item of items) {
    const fields = models[item._model] ?? {};
    for (const key of Object.keys(item)) {
      if (SYSTEM.has(key) || Object.hasOwn(fields, key)) continue;
      const found = drift.get(item._model) ?? new Set<string>();
      drift.set(item._model, found.add(key));
    }
  }
  return [...drift].map(
    ([model, luids]) =>
      `${model} has fields that the model map lacks: ${[...luids].sort().join(', ')} (${fate})`,
  );
}
