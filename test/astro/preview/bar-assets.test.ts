import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { BAR_SCRIPT } from '../../../src/astro/preview/bar-assets.ts';

/** An element with attributes, as the script of the bar uses it. */
function element(attributes: Record<string, string>) {
  return {
    attributes,
    get href() {
      return new URL(attributes.href ?? '', PAGE).href;
    },
    set href(value: string) {
      attributes.href = value;
    },
    getAttribute: (name: string) => attributes[name] ?? null,
    setAttribute(name: string, value: string) {
      attributes[name] = value;
    },
    hasAttribute: (name: string) => name in attributes,
  };
}

const PAGE = 'https://site.test/docs/_luid/preview/contact';

/** What the script of the bar makes of a link, or of a form that is sent with POST, on a page in preview. */
function changed(kind: 'a' | 'form', attributes: Record<string, string>, prefix = '/docs/_luid/preview') {
  const elements = { a: [] as unknown[], form: [] as unknown[] };
  const one = element(attributes);
  elements[kind].push(one);
  const document = {
    querySelector: () => ({ dataset: { prefix } }),
    querySelectorAll: (selector: string) => (selector.startsWith('a') ? elements.a : elements.form),
    addEventListener() {},
  };
  const { href, origin, pathname } = new URL(PAGE.replace('/docs/_luid/preview', prefix));
  runInNewContext(BAR_SCRIPT, {
    document,
    location: { href, origin, pathname, toString: () => href },
    URL,
    addEventListener() {},
  });
  return one.attributes;
}

describe('on a page in preview', () => {
  test.each([
    ['/docs', '/docs/_luid/preview'],
    ['/docs/', '/docs/_luid/preview/'],
    ['/docs/articles/x?a=b#c', '/docs/_luid/preview/articles/x?a=b#c'],
    ['/docs/_luid/preview/x', '/docs/_luid/preview/x'],
    ['/docs/_luid/preview-exit', '/docs/_luid/preview-exit'],
    ['/docsy', '/docsy'],
    ['/other', '/other'],
    ['/docs/a.pdf', '/docs/a.pdf'],
    ['https://other.test/docs/x', 'https://other.test/docs/x'],
  ])('a link to %s leads to %s', (href, expected) => {
    expect(changed('a', { href })).toEqual({ href: expected });
  });

  test('a link to the home page of a site without a base stays in the preview', () => {
    expect(changed('a', { href: '/' }, '/_luid/preview')).toEqual({ href: '/_luid/preview/' });
  });

  test.each([
    [undefined, '/docs/contact'],
    ['', '/docs/contact'],
    ['?_action=send', '/docs/contact?_action=send'],
    ['/docs/_luid/preview', '/docs'],
    ['/docs/_luid/preview-exit', '/docs/_luid/preview-exit'],
    ['/docs/send', '/docs/send'],
    ['https://other.test/', 'https://other.test/'],
  ])('a form with the action %s is sent to %s', (action, expected) => {
    expect(changed('form', action === undefined ? {} : { action })).toEqual({ action: expected });
  });
});
