import { decodeEntities } from './entities.ts';
import { scanMarkup, type Tag } from './scan-tags.ts';

/**
 * The text of HTML, with entities decoded; without scripts and the like. `between` is what a tag becomes. Takes linear
 * time for any input.
 */
export function plainText(html: string, between: (tag: Tag) => string = () => ''): string {
  let text = '';
  let at = 0;
  for (const { start, end, tag } of scanMarkup(html)) {
    text += html.slice(at, start) + (tag ? between(tag) : '');
    at = end;
  }
  return decodeEntities(text + html.slice(at));
}
