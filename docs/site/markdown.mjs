import { resolveLink } from './routes.mjs';

/** Removes the heading of a page, which the site renders from its `title`. */
export function withoutTitle() {
  return {
    name: 'docs-without-title',
    element: { filter: ['h1'], visit: (node, context) => context.removeNode(node) },
  };
}

/** Turns links between Markdown files into routes, and links to other files of the repository into text. */
export function linksToRoutes({ base = '' } = {}) {
  return {
    name: 'docs-links-to-routes',
    element: {
      filter: ['a'],
      visit(node, context) {
        const { href } = node.properties ?? {};
        if (typeof href !== 'string' || !context.fileURL || /^(?:[a-z]+:|#|\/)/i.test(href)) return;
        const { route, file } = resolveLink(href, context.fileURL);
        if (route) context.setProperty(node, 'href', `${base.replace(/\/$/, '')}${route}`);
        if (file) return inRepository(node, file);
      },
    },
  };
}

/** Names the column of each cell, for narrow screens, where the cells of a row are below each other. */
export function labelCells() {
  return {
    name: 'docs-label-cells',
    element: {
      filter: ['table'],
      visit(node, context) {
        const rows = elementsIn(node, 'tr').map((row) =>
          row.children.filter(({ type }) => type === 'element'),
        );
        const labels = (rows[0] ?? []).map(textOf);
        for (const cells of rows.slice(1)) {
          for (const [column, cell] of cells.entries()) {
            if (column > 0 && labels[column]) context.setProperty(cell, 'dataLabel', labels[column]);
          }
        }
      },
    },
  };
}

function elementsIn(node, tagName) {
  const children = (node.children ?? []).filter(({ type }) => type === 'element');
  return children.flatMap((child) => (child.tagName === tagName ? [child] : elementsIn(child, tagName)));
}

function textOf(node) {
  return node.type === 'text' ? node.value : (node.children ?? []).map(textOf).join('');
}

function inRepository(node, file) {
  const name = {
    type: 'element',
    tagName: 'code',
    properties: {},
    children: [{ type: 'text', value: file }],
  };
  return {
    type: 'element',
    tagName: 'span',
    properties: {},
    children: [
      ...node.children,
      { type: 'text', value: ' (' },
      name,
      { type: 'text', value: ' in the repository)' },
    ],
  };
}
