import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';
import { nameOf } from './report.ts';

/** How a collection names its entries: by the content id, by a field, or by a function. */
export type EntryIdRule = string | ((item: WireContent) => string | number) | undefined;

/** The id of an entry; `undefined` if it is empty, for Astro would store it where none can find it. */
export function entryId(item: WireContent, rule: EntryIdRule): string | undefined {
  const value = idValue(item, rule);
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

function idValue(item: WireContent, rule: EntryIdRule): unknown {
  if (typeof rule === 'function') return rule(item);
  return Object.hasOwn(item, rule ?? '_id') ? item[rule ?? '_id'] : undefined;
}

export function withoutId(item: WireContent, rule: EntryIdRule): LuidContentError {
  const by = typeof rule === 'string' ? `its field ${rule}` : 'the id function';
  const value = JSON.stringify(idValue(item, rule));
  return new LuidContentError(`${nameOf(item)} has no id: ${by} gives ${value}`, {
    model: item._model,
    id: item._id,
    field: typeof rule === 'string' ? rule : undefined,
    hint: 'Fill that field in, or choose another `id` for the loader.',
  });
}
