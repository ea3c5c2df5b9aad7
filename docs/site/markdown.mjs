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
