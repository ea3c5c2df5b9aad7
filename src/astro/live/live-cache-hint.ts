import type { CacheHint } from 'astro';
import { isRecord, type Values } from '../../models/field-types/field-type.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';

/**
 * The cache hint of an entry: tags of its item and of every embedded item, each as `luid:article` and
 * `luid:article:101`, and the time of the last change to any of them.
 */
export function cacheHintOf(models: ModelMap, data: Values): CacheHint {
  const tags = new Set<string>();
  let newest = 0;

  function visit(content: Values): void {
    const { _model: model, _id: id } = content;
    tags.add(`luid:${String(model)}`).add(`luid:${String(model)}:${String(id)}`);
    newest = Math.max(newest, timeOf(content._updated_at), timeOf(content._last_published_at));
    visitReferences(fieldsOf(models, model), content, ({ value }) => {
      if (isRecord(value)) visit(value);
    });
  }

  visit(data);
  return { tags: [...tags], ...(newest > 0 && { lastModified: new Date(newest) }) };
}

/** Content of an undeclared model has its times as strings. */
function timeOf(value: unknown): number {
  const time = value instanceof Date ? value.getTime() : Date.parse(String(value));
  return Number.isNaN(time) ? 0 : time;
}

/** The cache hint of a list: any content of the model, and everything that its entries depend on. */
export function listCacheHint(model: string, entries: readonly { cacheHint: CacheHint }[]): CacheHint {
  const tags = new Set([`luid:${model}`, ...entries.flatMap(({ cacheHint }) => cacheHint.tags ?? [])]);
  const times = entries.map(({ cacheHint }) => cacheHint.lastModified?.getTime() ?? 0);
  const newest = times.reduce((latest, time) => Math.max(latest, time), 0);
  return { tags: [...tags], ...(newest > 0 && { lastModified: new Date(newest) }) };
}
