import { readFile } from 'node:fs/promises';
import { errorResponse } from '../http/http-error.ts';
import { bytesResponse } from '../http/responses.ts';
import { getOwn } from '../state/own-property.ts';

/** The page and its files, as scripts/build.mjs writes them, by path. They contain nothing of the space. */
const FILES: { readonly [path: string]: { readonly name: string; readonly type: string } } = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/_studio/studio.js': { name: 'studio.js', type: 'text/javascript; charset=utf-8' },
  '/_studio/studio.css': { name: 'studio.css', type: 'text/css; charset=utf-8' },
  '/_studio/preview.css': { name: 'preview.css', type: 'text/css; charset=utf-8' },
  '/_studio/icon.svg': { name: 'icon.svg', type: 'image/svg+xml' },
};

export async function servePageFile(request: Request, url: URL): Promise<Response> {
  const file = getOwn(FILES, url.pathname);
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return errorResponse({ status: 404 });
  const bytes = await readFile(new URL(`./page/${file.name}`, import.meta.url)).catch(() => undefined);
  if (!bytes) {
    return errorResponse({
      status: 501,
      explanation: `The studio's ${file.name} is not built: npm run build.`,
    });
  }
  const headers = { 'content-type': file.type, ...SECURITY_HEADERS };
  return bytesResponse(new Uint8Array(bytes), { status: 200, headers });
}

/**
 * Only the page's own script and style run, whatever the content contains. Previews of HTML are in frames without an
 * origin, which inherit the policy.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
