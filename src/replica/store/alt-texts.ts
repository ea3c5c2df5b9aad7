import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitMedia } from '../../models/walk.ts';

/** The alternative texts of media in items that were just read: newer than any other use of the same media. */
export function collectAltTexts(models: ModelMap, items: Iterable<WireContent>): Record<string, string> {
  const alts: Record<string, string> = {};
  for (const item of items) {
    visitMedia(fieldsOf(models, item._model), item, ({ value }) => {
      const media = value as { url?: unknown; alt?: unknown };
      if (typeof media.url === 'string' && typeof media.alt === 'string') {
        alts[media.url] = media.alt;
      }
    });
  }
  return alts;
}
