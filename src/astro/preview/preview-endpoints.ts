import type { APIContext } from 'astro';
import { LONGEST_TIMER } from '../../client/http/clock.ts';
import { createSlidingWindow } from '../../client/http/limits/sliding-window.ts';
import { LONG_SECRET } from '../../space/environment/secret-length.ts';
import { withBase } from '../base-path.ts';
import { BAR_SCRIPT, BAR_STYLE } from './bar-assets.ts';
import { type DraftWatch, draftWatch } from './draft-watch.ts';
import { deleteCookie, findPublicKey, previewEnd, setCookie, signCookie } from './preview-cookie.ts';
import {
  EVENTS_PATH,
  EXIT_PATH,
  findPage,
  PREVIEW_PATH,
  parseTarget,
  pathOf,
  previewPathOf,
  SCRIPT_PATH,
  STYLE_PATH,
  withSlash,
} from './preview-paths.ts';
import { NO_PAGE, neverCache, refusal } from './preview-responses.ts';
import type { PreviewSettings } from './preview-settings.ts';

const MINUTE = 60_000;
/** Proxies end connections on which nothing happens. */
const KEEP_ALIVE = 15_000;
const PRIVATE = { 'cache-control': 'private, no-store' };
const NO_SECRET = `To have one, set LUID_PREVIEW_SECRET, or \`preview: { secret }\`, to ${LONG_SECRET}.`;

type Endpoint = (context: APIContext) => Response | Promise<Response>;

/** The endpoint of all routes of the preview. */
export function previewEndpoint(settings: PreviewSettings): Endpoint {
  const endpoints: Readonly<Record<string, Endpoint>> = {
    [PREVIEW_PATH]: createEnter(settings),
    [EXIT_PATH]: createExit(settings),
    [EVENTS_PATH]: createEvents(settings),
    [SCRIPT_PATH]: createAsset('text/javascript', BAR_SCRIPT),
    [STYLE_PATH]: createAsset('text/css', BAR_STYLE),
  };
  return (context) => {
    const endpoint = endpoints[context.routePattern];
    if (endpoint) return endpoint(context);
    neverCache(context);
    // The middleware shows the pages that exist.
    return refusal(404, NO_PAGE);
  };
}

/** `GET /_luid/preview?secret=…&to=/articles/x`: sets the cookie, and shows the page. */
export function createEnter(settings: PreviewSettings): Endpoint {
  const refusals = createSlidingWindow(100, MINUTE);
  return async (context) => {
    neverCache(context);
    const { url, cache } = context;
    const publicKey = await findPublicKey(settings);
    if (!publicKey) return refusal(404, NO_SECRET);
    const secret = url.searchParams.get('secret');
    if (secret === null) return refusal(401, 'The URL needs ?secret=….');
    // Compared before the limit is checked: wrong secrets must not block editors.
    const token = await signCookie(secret, publicKey, settings);
    if (token === undefined) {
      const wait = refusals.delay();
      if (wait > 0) {
        const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
        return refusal(429, 'Too many wrong secrets.', headers);
      }
      refusals.add();
      return refusal(401, 'That is not the secret.');
    }
    const to = url.searchParams.get('to') ?? withBase('/', settings.base);
    const target = parseTarget(to, settings.base);
    if (target === undefined) {
      const base = withBase('/', settings.base);
      return refusal(400, `\`to\` must be the path of a page of this site, beginning with ${base}`);
    }
    setCookie(context, token, settings);
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
export function createExit(settings: PreviewSettings): Endpoint {
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
  isWatchable: () => Promise<boolean> = canWatch,
): Endpoint {
  return async ({ request, cookies, cache }) => {
    neverCache({ cache });
    const end = await previewEnd(cookies, settings);
    if (end === undefined) return refusal(401, 'Enter the preview with the secret first.');
    // Without Node, drafts are not compared: the bar polls the page, and does not connect again.
    if (!(await isWatchable())) return new Response(null, { status: 204, headers: PRIVATE });
    const encoder = new TextEncoder();
    let close = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // The visitor left while the cookie was verified: the signal has no more events. Nothing reads, or cancels, the
        // body of a response to a HEAD request.
        if (request.signal.aborted || request.method === 'HEAD') return controller.close();
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const unsubscribe = watch().subscribe(() => send('event: change\ndata: {}\n\n'));
        const keepAlive = setInterval(() => send(':\n\n'), KEEP_ALIVE);
        const ending = setTimeout(() => close(), Math.min(end - Date.now(), LONGEST_TIMER));
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

async function canWatch(): Promise<boolean> {
  const { draftFingerprint } = await import('./draft-fingerprint.ts');
  return draftFingerprint !== undefined;
}

/** The script and the style of the bar: only pages in preview refer to them. */
function createAsset(type: string, body: string): () => Response {
  return () =>
    new Response(body, {
      headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'private, max-age=60' },
    });
}
