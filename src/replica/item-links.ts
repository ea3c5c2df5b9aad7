import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { visitMedia, visitReferences } from '../models/walk.ts';
import { emptyReferences } from './reference-fields.ts';
import { type ItemLinks, mediaKey } from './store/item-facts.ts';

/** What an item refers to: content, also of undeclared models or that is gone, and media. */
export function linksOf(models: ModelMap, item: WireContent): ItemLinks {
  const fields = fieldsOf(models, item._model);
  const links = new Set<number>();
  visitReferences(fields, item, ({ value }) => {
    if (typeof value === 'number') links.add(value);
  });
  visitMedia(fields, item, ({ value }) => {
    const { url } = value as { url?: unknown };
    if (typeof url === 'string') links.add(mediaKey(url));
  });
  const { models: accepted, acceptsAny } = emptyReferences(fields, item);
  return { links: [...links], hasEmptyReference: acceptsAny || accepted.size > 0 };
}
