import type { WireContent } from '../../contract/content.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitLeaves } from '../../models/walk.ts';

/** The alternative texts of media in items that were just read: newer than any other use of the same media. */
export function collectAltTexts(models: ModelMap, items: Iterable<WireContent>): Record<string, string> {
  const alts: Record<string, string> = {};
  for (const item of items) {
    visitLeaves(models[item._model] ?? {}, item, ({ field, value }) => {
      const media = value as { url?: unknown; alt?: unknown };
      if (field.type === 'media' && typeof media.url === 'string' && typeof media.alt === 'string') {
        alts[media.url] = media.alt;
      }
    });
  }
  return alts;
}
