import { scanTags } from '../../models/scan-tags.ts';

const URL_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'cite', 'srcset']);

/** Makes the URLs in HTML absolute, which readers of feeds need. All other bytes are unchanged. */
export function absoluteUrls(html: string, base: string): string {
  let result = '';
  let copiedTo = 0;
  for (const { attributes } of scanTags(html)) {
    for (const { name, value, from, to } of attributes) {
      if (!URL_ATTRIBUTES.has(name)) continue;
      const absolute = name === 'srcset' ? absoluteSources(value, base) : absoluteUrl(value, base);
      if (absolute === value) continue;
      const encoded = absolute.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      result += `${html.slice(copiedTo, from)}${name}="${encoded}"`;
      copiedTo = to;
    }
  }
  return result + html.slice(copiedTo);
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
