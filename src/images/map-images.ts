import { scanTags } from '../models/text/scan-tags.ts';

/** Values by name in lower case. Of equal names the first counts, as in browsers. */
export type Attributes = ReadonlyMap<string, string>;

/** Attributes to set; `undefined` removes one. */
type AttributeChanges = Readonly<Record<string, string | number | undefined>>;

/** Applies changes to the attributes of each `<img>` in HTML, as `mapAttributes` does. */
export function mapImages(
  html: string,
  change: (attributes: Attributes) => AttributeChanges | undefined,
): string {
  return mapAttributes(html, (attributes, tag) => (tag === 'img' ? change(attributes) : undefined));
}

/**
 * Applies changes to the attributes of each tag in HTML. All other bytes are unchanged. Takes linear time, for malformed
 * HTML too.
 */
export function mapAttributes(
  html: string,
  change: (attributes: Attributes, tag: string) => AttributeChanges | undefined,
): string {
  let result = '';
  let copiedTo = 0;
  for (const tag of scanTags(html)) {
    const attributes = new Map(tag.attributes.toReversed().map(({ name, value }) => [name, value]));
    const edits = Object.entries(change(attributes, tag.name) ?? {}).map(([name, value]) => {
      const found = tag.attributes.find((attribute) => attribute.name === name);
      const text = value === undefined ? '' : `${name}="${encode(String(value))}"`;
      return found ? { ...found, text } : { from: tag.nameEnd, to: tag.nameEnd, text: text && ` ${text}` };
    });
    for (const { from, to, text } of edits.sort((a, b) => a.from - b.from)) {
      result += html.slice(copiedTo, from) + text;
      copiedTo = to;
    }
  }
  return result + html.slice(copiedTo);
}

function encode(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
