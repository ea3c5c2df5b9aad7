import fc from 'fast-check';

const name = fc.constantFrom(
  ...'a b p h2 div li td table tr ul img br pre code svg math style script template noscript title'.split(
    ' ',
  ),
  ...'textarea select option form button iframe object mtext mglyph annotation-xml foreignObject desc'.split(
    ' ',
  ),
  ...'plaintext xmp x-a caption colgroup marquee nobr font center details summary input'.split(' '),
);
const value = fc.oneof(
  fc.constantFrom('javascript:x', ' java\tscript:x', 'https://x.example', '/a', 'data:text/html,x', 'x', ''),
  fc.constantFrom('<h2 onclick=x >a</h2>', '"><script>', '</style>', '-->', '\n\n<img src=x onerror=y>', '`'),
  fc.constantFrom(
    'color:red',
    'position:fixed',
    'color:red;background:url(x)',
    '[a](javascript:x)',
    '|',
    '&quot;',
  ),
);
const attribute = fc
  .tuple(
    fc.constantFrom(
      'href',
      'src',
      'onclick',
      'ONERROR',
      'style',
      'title',
      'id',
      'name',
      'srcdoc',
      'xlink:href',
      'class',
      'data-x',
      'alt',
      'srcset',
      '<',
      '"',
      '=',
    ),
    value,
    fc.constantFrom('"', "'", ''),
  )
  .map(([key, text, quote]) => ` ${key}=${quote}${text}${quote}`);
/** A tag, a part of one, or text. */
export const htmlPiece = fc.oneof(
  fc
    .tuple(name, fc.array(attribute, { maxLength: 3 }))
    .map(([tag, attributes]) => `<${tag}${attributes.join('')}>`),
  name.map((tag) => `</${tag}>`),
  fc.constantFrom(
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?x',
    '<!x>',
    '<',
    '>',
    '&',
    '&lt;',
    '&#60;',
    '\0',
    '\n',
  ),
  fc.constantFrom('a', ' ', 'text', '"', "'", '<scr', 'ipt>', '\r\n', '\u00a0'),
);
/** HTML that is malformed in every way. */
export const randomHtml = fc.array(htmlPiece, { maxLength: 25 }).map((pieces) => pieces.join(''));
