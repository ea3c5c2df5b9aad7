import type { Fields, ModelMap } from './types.ts';

const NO_FIELDS: Fields = {};

/** The fields of a declared model. Any LUID is safe, `constructor` and `__proto__` too. */
export function declaredFields(models: ModelMap | undefined, model: unknown): Fields | undefined {
  return models && typeof model === 'string' && Object.hasOwn(models, model) ? models[model] : undefined;
}

/** The fields of a model; none if it is not declared. */
export function fieldsOf(models: ModelMap, model: unknown): Fields {
  return declaredFields(models, model) ?? NO_FIELDS;
}
