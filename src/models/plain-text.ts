import { decodeEntities } from './entities.ts';
import { scanMarkup } from './scan-tags.ts';

/** The text of HTML, with entities decoded; without scripts and the like. Takes linear time for any input. */
export function plainText(html: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of scanMarkup(html)) {
    text += html.slice(at, start);
    at = end;
  }
  return decodeEntities(text + html.slice(at));
}
