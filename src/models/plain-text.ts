const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** HTML without tags and with entities decoded. Takes linear time for any input. */
export function plainText(html: string): string {
  return decodeEntities(withoutTags(html));
}

/** Decodes numeric character references and the most common named ones. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]+|\w+);/gi, (whole: string, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A `<` without a `>` is not a tag. */
function withoutTags(html: string): string {
  const lastComment = html.lastIndexOf('-->');
  let text = '';
  let at = 0;
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    const isComment = html.startsWith('<!--', open) && lastComment >= open + 4;
    const end = isComment ? html.indexOf('-->', open + 4) + 3 : html.indexOf('>', open) + 1;
    if (end === 0) break;
    text += html.slice(at, open);
    at = end;
  }
  return text + html.slice(at);
}
