import type { CacheHint } from 'astro';
import { isRecord, type Values } from '../../models/field-types/field-type.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';

// No `lastModified`: a page changes without a newer time when content that it shows is removed or unpublished, and a cache
// that has Astro's `Last-Modified` would keep it as not modified.

/**
 * The cache hint of an entry: tags of its item and of every embedded item, each as `luid:article` and
 * `luid:article:101`.
 */
export function cacheHintOf(models: ModelMap, data: Values): CacheHint {
  const tags = new Set<string>();

  function visit(content: Values): void {
    const { _model: model, _id: id } = content;
    tags.add(`luid:${String(model)}`).add(`luid:${String(model)}:${String(id)}`);
    visitReferences(fieldsOf(models, model), content, ({ value }) => {
      if (isRecord(value)) visit(value);
    });
  }

  visit(data);
  return { tags: [...tags] };
}

/** The cache hint of a list: any content of the model, and everything that its entries depend on. */
export function listCacheHint(model: string, entries: readonly { cacheHint: CacheHint }[]): CacheHint {
  const tags = new Set([`luid:${model}`, ...entries.flatMap(({ cacheHint }) => cacheHint.tags ?? [])]);
  return { tags: [...tags] };
}
