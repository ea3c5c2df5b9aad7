/** The names of U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';

/** Each character with its name. */
const OTHERS =
  '&amp &AMP <lt <LT >gt >GT "quot "QUOT \'apos ŒOElig œoelig ŠScaron šscaron ŸYuml ƒfnof –ndash —mdash ‘lsquo ’rsquo ' +
  '‚sbquo “ldquo ”rdquo „bdquo †dagger ‡Dagger •bull …hellip ‰permil ′prime ″Prime ‹lsaquo ›rsaquo ⁄frasl €euro ' +
  '™trade ←larr ↑uarr →rarr ↓darr ↔harr −minus ∞infin ≈asymp ≠ne ≤le ≥ge \u2002ensp \u2003emsp \u2009thinsp ' +
  '\u200czwnj \u200dzwj \u200elrm \u200frlm';

/** Name → character. A map, not an object, so that `&constructor;` is not an entity. */
export const ENTITIES: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ...LATIN_1.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...OTHERS.split(' ').map((pair) => [pair.slice(1), pair.charAt(0)] as const),
]);

/** What browsers show for the codes 0x80 to 0x9F: the characters of Windows-1252. Five codes have none. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes numeric character references and the names that editors write: those of Latin-1, punctuation, spaces,
 * arrows and a few signs. HTML has 2,000 more, which stay as they are: this is part of what servers bundle.
 */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole: string, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return code > 0 && code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : '\ufffd';
  });
}
