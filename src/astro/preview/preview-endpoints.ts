import type { APIContext } from 'astro';
import { withBase } from '../base-path.ts';
import { RateLimit } from '../revalidate/rate-limit.ts';
import { BAR_SCRIPT, BAR_STYLE } from './bar-assets.ts';
import { type DraftWatch, draftWatch } from './draft-watch.ts';
import { neverCache } from './never-cache.ts';
import { deleteCookie, previewEnd, setCookie } from './preview-cookie.ts';
import { findPage } from './preview-pages.ts';
import { parseTarget, pathOf, previewPathOf, withSlash } from './preview-paths.ts';
import { refusal } from './preview-refusal.ts';
import { findSecretHash, type PreviewSettings } from './preview-settings.ts';
import { isSameSecret } from './preview-token.ts';

const MINUTE = 60_000;
/** Proxies end connections on which nothing happens. */
const KEEP_ALIVE = 15_000;
const PRIVATE = { 'cache-control': 'private, no-store' };

/** `GET /_luid/preview?secret=…&to=/articles/x`: sets the cookie, and shows the page. */
export function createEnter(settings: PreviewSettings): (context: APIContext) => Promise<Response> {
  const refusals = new RateLimit({ max: 100, window: MINUTE });
  return async ({ url, cookies, cache }) => {
    neverCache({ cache });
    const hash = await findSecretHash(settings);
    if (!hash) return refusal(404, 'Set LUID_PREVIEW_SECRET, or `preview: { secret }`, to have one.');
    const secret = url.searchParams.get('secret');
    if (secret === null) return refusal(401, 'The URL needs ?secret=….');
    // Compared before the limit is checked: wrong secrets must not block editors.
    if (!(await isSameSecret(secret, hash))) {
      if (refusals.wait > 0) {
        return refusal(429, 'Too many wrong secrets.', {
          'retry-after': String(Math.ceil(refusals.wait / 1000)),
        });
      }
      refusals.record();
      return refusal(401, 'That is not the secret.');
    }
    const to = url.searchParams.get('to') ?? withBase('/', settings.base);
    const target = parseTarget(to, settings.base);
    if (target === undefined) {
      const base = withBase('/', settings.base);
      return refusal(400, `\`to\` must be the path of a page of this site, beginning with ${base}`);
    }
    await setCookie(cookies, url, hash, settings);
    const page = withSlash(target, settings);
    const { kind } = findPage(pathOf(page), settings);
    // Redirects and endpoints have no preview.
    const isHidden = kind === 'twin' || (cache?.enabled && kind !== 'not-a-page');
    const location = isHidden ? previewPathOf(page, settings.base) : target;
    // The next page must not know the secret.
    return new Response(null, {
      status: 303,
      headers: { ...PRIVATE, location, 'referrer-policy': 'no-referrer' },
    });
  };
}

/** `/_luid/preview-exit`: removes the cookie. */
export function createExit(settings: PreviewSettings): (context: APIContext) => Promise<Response> {
  return async ({ request, url, cookies, cache }) => {
    neverCache({ cache });
    // Nobody has clicked. A browser discards an error and requests the page again after a click.
    if (isPrefetch(request)) return new Response(null, { status: 503, headers: PRIVATE });
    deleteCookie(cookies, settings);
    const home = withBase('/', settings.base);
    const location = parseTarget(url.searchParams.get('to') ?? home, settings.base) ?? home;
    return new Response(null, { status: 303, headers: { ...PRIVATE, location } });
  };
}

function isPrefetch({ headers }: Request): boolean {
  return ['sec-purpose', 'purpose'].some((name) => /prefetch/i.test(headers.get(name) ?? ''));
}

/** `/_luid/preview-events`: an event for each change of drafts, until the preview ends. */
export function createEvents(
  settings: PreviewSettings,
  watch: () => DraftWatch = draftWatch,
): (context: APIContext) => Promise<Response> {
  return async ({ request, cookies, cache }) => {
    neverCache({ cache });
    const end = await previewEnd(cookies, settings);
    if (end === undefined) return refusal(401, 'Enter the preview with the secret first.');
    const encoder = new TextEncoder();
    let close = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // The visitor left while the cookie was verified: the signal has no more events.
        if (request.signal.aborted) return controller.close();
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const unsubscribe = watch().subscribe(() => send('event: change\ndata: {}\n\n'));
        const keepAlive = setInterval(() => send(':\n\n'), KEEP_ALIVE);
        const ending = setTimeout(() => close(), Math.min(end - Date.now(), MAX_TIMER));
        close = () => {
          close = () => {};
          unsubscribe();
          clearInterval(keepAlive);
          clearTimeout(ending);
          try {
            controller.close();
          } catch {
            // The visitor has gone.
          }
        };
        request.signal.addEventListener('abort', () => close());
        send('retry: 2000\n\n');
      },
      cancel: () => close(),
    });
    return new Response(body, {
      headers: { ...PRIVATE, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    });
  };
}

/** Node's timers fire immediately if the delay is longer. */
const MAX_TIMER = 2 ** 31 - 1;

/** `/_luid/preview-bar.js` and `.css`: only pages in preview refer to them. */
export function createAsset(name: 'script' | 'style'): () => Response {
  const [type, body] = name === 'script' ? ['text/javascript', BAR_SCRIPT] : ['text/css', BAR_STYLE];
  return () =>
    new Response(body, {
      headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'private, max-age=60' },
    });
}
