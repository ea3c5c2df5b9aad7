import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const ELEMENTS = new Set(
  (
    'script style link meta base iframe frame frameset object embed applet portal fencedframe form button ' +
    'select textarea svg math template noscript noembed noframes xmp plaintext title area map dialog slot'
  ).split(' '),
);
const URL_ATTRIBUTES = new Set(
  'href src cite poster action formaction data background xlink:href srcset longdesc ping manifest'.split(
    ' ',
  ),
);
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Lists everything in the HTML that could run code, load a document or cover the page. Parses like a browser. */
export function findActiveContent(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Node, depth: number): void => {
    if ('tagName' in node) {
      const own = depth > 2;
      if (own && (ELEMENTS.has(node.tagName) || node.tagName.includes('-'))) found.push(`<${node.tagName}>`);
      if (node.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(node.namespaceURI);
      for (const { name, value } of node.attrs) {
        if (/^(on|srcdoc$|hx-|x-|v-|@|:|data-(?!language$|footnote)|name$|is$|slot$)/.test(name))
          found.push(`${name}="${value}"`);
        if (URL_ATTRIBUTES.has(name)) found.push(...unsafeUrls(name, value));
        if (name === 'style' && /url|expression|position|binding|behavior|\\/i.test(value)) found.push(value);
      }
    }
    if (node.nodeName === '#comment') found.push('a comment');
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, depth + 1);
  };
  visit(parse(`<!doctype html><html><body>${html}`), 0);
  return found;
}

function unsafeUrls(name: string, value: string): string[] {
  const urls = name === 'srcset' ? value.split(/[\s,]+/).filter(Boolean) : [value];
  return urls.filter((value) => {
    const url = URL.parse(value, 'https://site.example/a/');
    return url !== null && !SCHEMES.has(url.protocol);
  });
}
