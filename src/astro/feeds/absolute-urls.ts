import { mapAttributes } from '../../images/map-images.ts';

const URL_ATTRIBUTES = ['href', 'src', 'poster', 'cite', 'srcset'];

/** Makes the URLs in HTML absolute, which readers of feeds need. All other bytes are unchanged. */
export function absoluteUrls(html: string, base: string): string {
  return mapAttributes(html, (attributes) => {
    const changes: Record<string, string> = {};
    for (const name of URL_ATTRIBUTES) {
      const value = attributes.get(name) ?? '';
      const absolute = name === 'srcset' ? absoluteSources(value, base) : absoluteUrl(value, base);
      if (attributes.has(name) && absolute !== value) changes[name] = absolute;
    }
    return changes;
  });
}

function absoluteUrl(url: string, base: string): string {
  return URL.canParse(url) ? url : (URL.parse(url, base)?.href ?? url);
}

/** A comma ends a source only after a descriptor or at the end of a URL: it may be part of a URL. */
function absoluteSources(sources: string, base: string): string {
  return sources.replaceAll(/([^\s,]\S*)((?<!,)[^,]*)?/g, (_all, word: string, descriptor = '') => {
    const commas = /(?<!,),+$/.exec(word)?.[0] ?? '';
    return `${absoluteUrl(word.slice(0, word.length - commas.length), base)}${commas}${descriptor}`;
  });
}
