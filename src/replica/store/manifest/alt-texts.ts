import type { WireContent } from '../../../contract/content.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { ModelMap } from '../../../models/types.ts';
import { visitMedia } from '../../../models/walk.ts';

/** Alternative texts by media URL; `null` where the service sent none. */
export type AltTexts = { readonly [url: string]: string | null };

/** The alternative texts of media in items that were just read: newer than any other use of the same media. */
export function collectAltTexts(models: ModelMap, items: Iterable<WireContent>): AltTexts {
  const alts: Record<string, string | null> = {};
  for (const item of items) {
    visitMedia(fieldsOf(models, item._model), item, ({ value }) => {
      const media = value as { url?: unknown; alt?: unknown };
      if (typeof media.url === 'string') alts[media.url] = typeof media.alt === 'string' ? media.alt : null;
    });
  }
  return alts;
}
