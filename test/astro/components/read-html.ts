/** A difference between two texts, as the browser that runs this reads them. */
export interface Difference {
  readonly index: number;
  readonly left: string;
  readonly right: string;
}

/**
 * Runs in a browser: the pairs that it does not read alike, in a page with scripts and in one without. Attributes that
 * no component gets are ignored on elements that components render, and so are the values of boolean attributes. Texts
 * that end with an unclosed `<?x` are skipped: new browsers drop it, for older ones it is a comment.
 */
export function findDifferences(
  pairs: readonly (readonly [string, string])[],
  rendered: string,
): Difference[] {
  const names = new Set(rendered.split(' '));
  const ignored =
    /["'<>`=]|^(?:class|client|define|is|server|set|transition):|^(?:__proto__|children|key|ref)$/;
  const booleans =
    /^(?:allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|inert|ismap|itemscope|loop|multiple|muted|nomodule|noshade|novalidate|nowrap|open|playsinline|readonly|required|reversed|selected)$/;

  // A form's own properties can be hidden by its fields.
  const getter = (prototype: object, name: string) => Object.getOwnPropertyDescriptor(prototype, name)?.get;
  const attributesOf = (element: Element) =>
    getter(Element.prototype, 'attributes')?.call(element) as NamedNodeMap;
  const childrenOf = (node: Node) => getter(Node.prototype, 'childNodes')?.call(node) as NodeListOf<Node>;

  function describe(node: Node): unknown {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    if (node.nodeType !== Node.ELEMENT_NODE) return [node.nodeName, node.nodeValue];
    const element = node as Element;
    const isRendered = names.has(element.localName) && element.namespaceURI?.endsWith('/xhtml');
    const attributes = [...attributesOf(element)]
      .filter(({ name }) => !(isRendered && ignored.test(name)))
      .map(({ name, value }) => [name, isRendered && booleans.test(name) ? '' : value])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    const children = childrenOf(element instanceof HTMLTemplateElement ? element.content : element);
    return [element.namespaceURI, element.localName, attributes, [...children].map(describe)];
  }

  function read(html: string, owner: Document): string {
    const body = owner.createElement('div');
    body.innerHTML = html;
    return JSON.stringify([...body.childNodes].map(describe));
  }

  const withoutScripts = document.implementation.createHTMLDocument();
  return pairs.flatMap(([first, second], index) => {
    if (/<\?[^>]*$/.test(first)) return [];
    for (const owner of [document, withoutScripts]) {
      const [left, right] = [read(first, owner), read(second, owner)];
      if (left !== right) return [{ index, left, right }];
    }
    return [];
  });
}
