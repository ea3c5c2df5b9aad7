import { plainText } from './plain-text.ts';

/** Elements that separate words. Others, such as `<b>`, may be in the middle of one. */
const BLOCKS = new Set(
  (
    'address article aside audio blockquote body br canvas caption center dd details dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol option output p pre ' +
    'section summary table tbody td tfoot th thead tr ul video'
  ).split(' '),
);

/**
 * The text of HTML that `contains` searches, here and in the emulator: without tags, with entities decoded, and with
 * one space for white space and between blocks. Takes linear time for any input.
 */
export function htmlSearchText(html: string): string {
  return collapseSpaces(plainText(html, ({ name }) => (BLOCKS.has(name.replace('/', '')) ? ' ' : '')));
}

/** As in HTML: a no-break space stays. */
export function collapseSpaces(text: string): string {
  return text.replaceAll(/[ \t\r\n\f]+/g, ' ').replaceAll(/^ | $/g, '');
}
