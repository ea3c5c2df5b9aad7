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
function changed(
  kind: 'a' | 'form',
  attributes: Record<string, string>,
  prefix = '/docs/_luid/preview',
  path = '/contact',
) {
  const elements = { a: [] as unknown[], form: [] as unknown[] };
  const one = element(attributes);
  elements[kind].push(one);
  const document = {
    querySelector: (selector: string) =>
      selector.endsWith('> script') ? { parentElement: { dataset: { prefix } } } : null,
    querySelectorAll: (selector: string) => (selector.startsWith('a') ? elements.a : elements.form),
    addEventListener() {},
  };
  const { href, origin, pathname } = new URL(prefix + path, PAGE);
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
    ['mailto:a@b.test', 'mailto:a@b.test'],
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
    ['http://[', 'http://['],
  ])('a form with the action %s is sent to %s', (action, expected) => {
    expect(changed('form', action === undefined ? {} : { action })).toEqual({ action: expected });
  });

  test.each(['//evil.example/login', '///evil.example/login', '//evil.example:80', '//'])(
    'a form is never sent to another site, although the path of the page is that of one: %s',
    (path) => {
      expect(changed('form', {}, '/_luid/preview', path)).toEqual({});
      const action = `/_luid/preview${path}`;
      expect(changed('form', { action }, '/_luid/preview')).toEqual({ action });
    },
  );
});

describe('where the server refuses the stream of events', () => {
  /** A page whose versions are requested one after the other, and what the bar does. */
  async function poll({ status = 204, versions = ['first', 'first'], isHidden = false }) {
    const page = { state: '', reloads: 0, requests: 0 };
    const timers: (() => void)[] = [];
    const listeners: Record<string, () => void> = {};
    const CLOSED = 2;
    const EventSource = Object.assign(
      class {
        readyState = CLOSED;
        addEventListener(name: string, listener: () => void) {
          listeners[name] = listener;
        }
        close() {}
      },
      { CLOSED },
    );
    const words = { dataset: { connected: 'updates itself', waiting: 'not connected' } };
    const state = Object.defineProperty({ ...words }, 'textContent', {
      set: (text: string) => {
        page.state = text;
      },
    });
    const bar = { dataset: { events: '/events' }, querySelector: () => state };
    const reload = () => {
      page.reloads += 1;
    };
    const location = { href: PAGE, reload };
    runInNewContext(BAR_SCRIPT, {
      document: {
        hidden: isHidden,
        querySelector: () => ({ parentElement: bar }),
        querySelectorAll: () => [],
        addEventListener() {},
      },
      location,
      EventSource,
      AbortController,
      URL,
      addEventListener() {},
      setTimeout: (run: () => void) => void timers.push(run),
      async fetch(url: string) {
        if (url === '/events') return { status };
        const text = versions[Math.min(page.requests, versions.length - 1)];
        page.requests += 1;
        return { text: async () => text };
      },
    });
    listeners.error?.();
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    for (let round = 0; round < 3 && timers.length > 0; round++) {
      timers.shift()?.();
      await settle();
    }
    return page;
  }

  test('because it has none, the bar shows the page again when it is different', async () => {
    const versions = ['first', 'first', 'first', 'second', 'first'];
    expect(await poll({ versions })).toMatchObject({ state: 'updates itself', reloads: 1 });
  });

  test('a page that nobody sees, or that is different each time, is not requested', async () => {
    expect(await poll({ isHidden: true })).toMatchObject({ requests: 2, reloads: 0 });
    expect(await poll({ versions: ['a', 'b', 'c'] })).toEqual({
      state: 'not connected',
      requests: 2,
      reloads: 0,
    });
  });

  test('because the preview has ended, the bar says so', async () => {
    expect(await poll({ status: 401 })).toEqual({ state: 'not connected', requests: 0, reloads: 0 });
  });
});
