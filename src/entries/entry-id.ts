import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';

/** How a collection names its entries: by the content id, by a field, or by a function. */
export type EntryIdRule = string | ((item: WireContent) => string | number) | undefined;

/** The id of an entry. An empty one is an error, for Astro would store it where none can find it. */
export function entryId(item: WireContent, rule: EntryIdRule): string {
  const value =
    typeof rule === 'function' ? rule(item) : Object.hasOwn(item, rule ?? '_id') && item[rule ?? '_id'];
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  const by = typeof rule === 'string' ? `its field ${rule}` : 'the id function';
  throw new LuidContentError(
    `${item._model} ${item._id} "${item._title}" has no id: ${by} gives ${String(value)}`,
    {
      model: item._model,
      id: item._id,
      field: typeof rule === 'string' ? rule : undefined,
      hint: 'Fill that field in, or choose another `id` for the loader.',
    },
  );
}
