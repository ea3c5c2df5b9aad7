import { mapImages } from '../images/map-images.ts';

/** In lower case, as `mapImages` gives attribute names. */
const MARKER = '__astro_image_';
/** Astro's own properties among the attributes of an image. */
const INTERNAL = new Set(['index', 'inferSize']);

/**
 * Astro's Markdown replaces the attributes of images by a marker, which it resolves only for entries that are
 * files. This restores the attributes.
 */
export function restoreMarkedImages(html: string): string {
  return mapImages(html, (attributes) => {
    const marked = parseJson(attributes.get(MARKER));
    if (!marked) return undefined;
    const restored = Object.entries(marked).filter(
      ([name, value]) => !INTERNAL.has(name) && ['string', 'number'].includes(typeof value),
    );
    const own = Object.fromEntries(restored) as Record<string, string | number>;
    return { [MARKER]: undefined, ...own, ...(typeof own.src === 'string' && { src: encodeSrc(own.src) }) };
  });
}

/** Reverses `decodeURI`, which Astro applies. It leaves characters with a meaning in URLs (`%2F`) encoded. */
function encodeSrc(src: string): string {
  return encodeURI(src.toWellFormed()).replaceAll(/%25(?=2[346BCF]|3[ABDF]|40)/gi, '%');
}

function parseJson(text: string | undefined): object | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}
