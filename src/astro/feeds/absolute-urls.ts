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

function absoluteSources(sources: string, base: string): string {
  return sources.replaceAll(/(^|,\s)(\s*)([^\s,]\S*)/g, (_all, comma, space, url) => {
    return `${comma}${space}${absoluteUrl(url, base)}`;
  });
}
