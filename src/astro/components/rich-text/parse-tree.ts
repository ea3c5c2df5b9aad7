import type { DefaultTreeAdapterTypes } from 'parse5';
import type { HtmlParser } from './load-parser.ts';

export type TreeNode = DefaultTreeAdapterTypes.ChildNode;
export type TreeElement = DefaultTreeAdapterTypes.Element;

/** A few unclosed tags can make the parser create millions of elements. */
const MAX_ELEMENTS = 100_000;

/**
 * The nodes of HTML, as browsers read it within a page; without scripts, the content of `noscript` is markup. Throws a
 * RangeError if there are too many elements.
 */
export function parseTree(
  { defaultTreeAdapter, html: { NS }, parseFragment }: HtmlParser,
  html: string,
  scriptingEnabled = true,
): TreeNode[] {
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new RangeError('too many elements');
      return defaultTreeAdapter.createElement(...element);
    },
  };
  const body = treeAdapter.createElement('body', NS.HTML, []);
  return parseFragment(body, html, { treeAdapter, scriptingEnabled, sourceCodeLocationInfo: true })
    .childNodes;
}

export function isElement(node: TreeNode): node is TreeElement {
  return 'tagName' in node;
}

export function isText(node: TreeNode | undefined): node is DefaultTreeAdapterTypes.TextNode {
  return node?.nodeName === '#text';
}

export function childrenOf(element: TreeElement): TreeNode[] {
  return 'content' in element
    ? (element as DefaultTreeAdapterTypes.Template).content.childNodes
    : element.childNodes;
}

/** Whether both lists mean the same to a browser. */
export function areEqualTrees(left: readonly TreeNode[], right: readonly TreeNode[]): boolean {
  return left.length === right.length && left.every((node, index) => areEqualNodes(node, right[index]));
}

function areEqualNodes(left: TreeNode, right: TreeNode | undefined): boolean {
  if (left.nodeName !== right?.nodeName) return false;
  if (!isElement(left)) {
    const { value, data } = left as { value?: string; data?: string };
    const other = right as { value?: string; data?: string };
    return value === other.value && data === other.data;
  }
  const other = right as TreeElement;
  return (
    left.namespaceURI === other.namespaceURI &&
    left.attrs.length === other.attrs.length &&
    left.attrs.every(({ name, value, prefix }, index) => {
      const attribute = other.attrs[index];
      return name === attribute?.name && value === attribute.value && prefix === attribute.prefix;
    }) &&
    areEqualTrees(childrenOf(left), childrenOf(other))
  );
}
