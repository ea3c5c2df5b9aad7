import type { APIContext } from 'astro';
import { RateLimit } from '../revalidate/rate-limit.ts';
import { BAR_SCRIPT, BAR_STYLE } from './bar-assets.ts';
import { type DraftWatch, draftWatch } from './draft-watch.ts';
import { deleteCookie, previewEnd, setCookie } from './preview-cookie.ts';
import { parseTarget, previewPathOf, withBase } from './preview-paths.ts';
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
    if (cache?.enabled) cache.set(false);
    const hash = await findSecretHash(settings);
    if (!hash) return refusal(404, 'Set LUID_PREVIEW_SECRET, or `preview: { secret }`, to have one.');
    // Before the secret is compared, so that nobody can go on guessing.
    if (refusals.wait > 0) {
      return refusal(429, 'Too many wrong secrets.', {
        'retry-after': String(Math.ceil(refusals.wait / 1000)),
      });
    }
    const secret = url.searchParams.get('secret');
    const isAllowed = secret !== null && (await isSameSecret(secret, hash));
    if (!isAllowed) {
      refusals.record();
      return refusal(401, secret === null ? 'The URL needs ?secret=….' : 'That is not the secret.');
    }
    const to = url.searchParams.get('to') ?? withBase('/', settings.base);
    const target = parseTarget(to, settings.base);
    if (target === undefined) return refusal(400, '`to` must be the path of a page of this site.');
    await setCookie(cookies, url, hash, settings);
    const isHidden =
      cache?.enabled || settings.twins.some((pattern) => matches(pattern, target, settings.base));
    const location = isHidden ? previewPathOf(target, settings.base) : target;
    // The next page must not know the secret.
    return new Response(null, {
      status: 303,
      headers: { ...PRIVATE, location, 'referrer-policy': 'no-referrer' },
    });
  };
}

/** `/_luid/preview/exit`: removes the cookie. */
export function createExit(settings: PreviewSettings): (context: APIContext) => Promise<Response> {
  return async ({ url, cookies, cache }) => {
    if (cache?.enabled) cache.set(false);
    deleteCookie(cookies, settings);
    const home = withBase('/', settings.base);
    const location = parseTarget(url.searchParams.get('to') ?? home, settings.base) ?? home;
    return new Response(null, { status: 303, headers: { ...PRIVATE, location } });
  };
}

/** `/_luid/preview/events`: an event for each change of drafts, until the preview ends. */
export function createEvents(
  settings: PreviewSettings,
  watch: () => DraftWatch = draftWatch,
): (context: APIContext) => Promise<Response> {
  return async ({ request, cookies, cache }) => {
    if (cache?.enabled) cache.set(false);
    const end = await previewEnd(cookies, settings);
    if (end === undefined) return refusal(401, 'Enter the preview with the secret first.');
    const encoder = new TextEncoder();
    let close = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
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

/** `/_luid/preview/bar.js` and `bar.css`: only pages in preview refer to them. */
export function createAsset(name: 'script' | 'style'): () => Response {
  const [type, body] = name === 'script' ? ['text/javascript', BAR_SCRIPT] : ['text/css', BAR_STYLE];
  return () =>
    new Response(body, {
      headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'private, max-age=60' },
    });
}

/** Whether a path has the pattern of a twin: `/_luid/preview/articles/[id]`. */
function matches(pattern: string, target: string, base: string): boolean {
  const path = previewPathOf(target, base).split(/[?#]/, 1)[0] ?? '';
  const source = withBase(pattern, base)
    .split('/')
    .filter(Boolean)
    .map((segment) =>
      segment.startsWith('[...')
        ? '(?:/.*)?'
        : `/${segment
            .split(/\[[^\]]*\]/)
            .map(escapeRegExp)
            .join('[^/]+')}`,
    )
    .join('');
  return new RegExp(`^${source}/?$`).test(path);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
