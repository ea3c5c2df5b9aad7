import { tagsOf } from './scan-tags.ts';

/** Attributes by name, the first where one is there twice, as browsers have it. */
export type Attributes = ReadonlyMap<string, string>;

/**
 * Rebuilds HTML with the attributes of each `<img>` set that `change` answers, and those taken off that it
 * answers with `undefined`. Everything else stays as it is, to the byte: comments, scripts, what is escaped, and tags that never end. Takes time in
 * proportion to the length, whatever the HTML is.
 */
export function mapImages(
  html: string,
  change: (attributes: Attributes) => Readonly<Record<string, string | number | undefined>> | undefined,
): string {
  let result = '';
  let done = 0;
  for (const tag of tagsOf(html)) {
    if (tag.name !== 'img') continue;
    const attributes = new Map(tag.attributes.toReversed().map(({ name, value }) => [name, value]));
    const edits = Object.entries(change(attributes) ?? {}).map(([name, value]) => {
      const found = tag.attributes.find((attribute) => attribute.name === name);
      const text = value === undefined ? '' : `${name}="${encode(String(value))}"`;
      return found ? { ...found, text } : { from: tag.content, to: tag.content, text: text && ` ${text}` };
    });
    for (const { from, to, text } of edits.sort((a, b) => a.from - b.from)) {
      result += html.slice(done, from) + text;
      done = to;
    }
  }
  return result + html.slice(done);
}

function encode(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
