import { LuidConfigError } from '../../../shared/errors.ts';
import { printable } from '../../../shared/printable.ts';
import { editDistance } from '../../../shared/suggest.ts';

/** Elements of text that a component can render, obsolete ones too. */
// biome-ignore format: one element per line would hide the rest of the file
const ELEMENTS = [
  'a', 'abbr', 'acronym', 'address', 'applet', 'area', 'article', 'aside', 'audio', 'b', 'bdi', 'bdo', 'big',
  'blink', 'blockquote', 'br', 'button', 'canvas', 'caption', 'center', 'cite', 'code', 'col', 'colgroup',
  'data', 'datalist', 'dd', 'del', 'details', 'dfn', 'dialog', 'dir', 'div', 'dl', 'dt', 'em', 'embed',
  'fieldset', 'figcaption', 'figure', 'font', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header',
  'hgroup', 'hr', 'i', 'iframe', 'img', 'input', 'ins', 'kbd', 'label', 'legend', 'li', 'listing', 'main',
  'map', 'mark', 'marquee', 'menu', 'meter', 'nav', 'nobr', 'object', 'ol', 'optgroup', 'option', 'output',
  'p', 'param', 'picture', 'pre', 'progress', 'q', 'rb', 'rp', 'rt', 'rtc', 'ruby', 's', 'samp', 'search',
  'section', 'select', 'selectedcontent', 'slot', 'small', 'source', 'span', 'strike', 'strong', 'sub',
  'summary', 'sup', 'table', 'tbody', 'td', 'textarea', 'tfoot', 'th', 'thead', 'time', 'tr', 'track', 'tt',
  'u', 'ul', 'var', 'video', 'wbr',
] as const;
const KNOWN: ReadonlySet<string> = new Set(ELEMENTS);

/** An element that a component can render. */
export type RichTextTag = (typeof ELEMENTS)[number];

/**
 * Elements whose content browsers parse by other rules than HTML's: in a component that renders another element, what
 * is text could become markup.
 */
const OTHER_CONTENT: ReadonlySet<string> = new Set(
  'math noembed noframes noscript plaintext script style svg template title xmp'.split(' '),
);

/** Names for elements that HTML does not use, or uses for others. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  anchor: 'a',
  bold: 'strong',
  codeblock: 'pre',
  image: 'img',
  italic: 'em',
  link: 'a',
  linebreak: 'br',
  list: 'ul',
  listitem: 'li',
  paragraph: 'p',
  quote: 'blockquote',
};

/** Throws for a name that no element of a text has: its component would never be rendered. */
export function checkElementName(name: string): void {
  if (KNOWN.has(name) || isCustomElement(name)) return;
  if (OTHER_CONTENT.has(name)) {
    throw new LuidConfigError(`RichText cannot render <${name}> with a component`, {
      hint: 'Its content is not HTML, so it stays as it is. Remove it from `components`.',
    });
  }
  throw new LuidConfigError(
    `RichText has a component for "${printable(name, 60)}", which is not an element of a text`,
    {
      hint: `Did you mean '${nearestElement(name)}'? Names are in lower case; custom elements have a dash.`,
    },
  );
}

/** A valid name of a custom element, which has a dash. */
function isCustomElement(name: string): boolean {
  return /^[a-z][^\s"'<>/=\0A-Z]*-[^\s"'<>/=\0A-Z]*$/.test(name);
}

function nearestElement(name: string): string {
  const lower = name.toLowerCase();
  const known =
    OTHER_NAMES[lower.replaceAll(/[-_\s]/g, '')] ?? /^head(?:ing|er|line)?-?_?([1-6])$/.exec(lower);
  if (known) return typeof known === 'string' ? known : `h${known[1]}`;
  // Of equally similar names, the one with the same first letter.
  const distanceOf = (element: string) => editDistance(lower, element) + (element[0] === lower[0] ? 0 : 0.5);
  return ELEMENTS.reduce((best, element) => (distanceOf(element) < distanceOf(best) ? element : best));
}
