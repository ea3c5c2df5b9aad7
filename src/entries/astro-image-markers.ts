import { mapImages } from '../images/map-images.ts';

/** In lower case, as attributes are found. */
const MARK = '__astro_image_';
/** What Astro notes for itself beside the attributes of a picture. */
const NOTES = new Set(['index', 'inferSize']);

/**
 * Astro's Markdown marks pictures that it will work on when a page is rendered, but then does so only
 * for entries that are files. Here the marks become pictures again.
 */
export function unmarkImages(html: string): string {
  return mapImages(html, (attributes) => {
    const noted = parse(attributes.get(MARK));
    if (!noted) return undefined;
    const own = Object.entries(noted).filter(
      ([name, value]) => !NOTES.has(name) && ['string', 'number'].includes(typeof value),
    );
    return { [MARK]: undefined, ...(Object.fromEntries(own) as Record<string, string | number>) };
  });
}

function parse(text: string | undefined): object | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}
