import type { EmulatorContext } from './emulator-context.ts';
import { jsonResponse, textResponse } from './responses.ts';

/** What the page shows. Never a key: any local program can read the page. */
type EmulatorInfo = Pick<EmulatorContext, 'baseUrl' | 'assetsUrl' | 'header'>;

const GUIDE = 'https://www.npmjs.com/package/astro-luid';

/**
 * The response to a request without a key that is not for the API: a page that explains what this is and where
 * the API is. `undefined` for requests to the API and the assets.
 */
export function welcomeResponse(request: Request, url: URL, info: EmulatorInfo): Response | undefined {
  const accept = request.headers.get('accept') ?? '';
  const isBrowser = accept.includes('text/html');
  // The base URLs, which people open because the command prints them.
  const isBase = /^\/(?:v1\/?|assets)$/.test(url.pathname);
  if (isBase ? !isBrowser : /^\/(?:v1|assets)\//.test(url.pathname)) return undefined;
  const status = url.pathname === '/' || isBase ? 200 : 404;
  const lines = describeEmulator(info);
  if (accept.includes('application/json') && !isBrowser) {
    const code = status === 200 ? 'OK' : 'Not Found';
    const body = { status: String(status), code, message: lines.join(' ') };
    return jsonResponse(body, { status, headers: SECURITY_HEADERS });
  }
  const [text, type] = isBrowser ? [renderPage(lines), 'html'] : [`${lines.join('\n')}\n`, 'plain'];
  return textResponse(text, {
    status,
    headers: { 'content-type': `text/${type}; charset=utf-8`, ...SECURITY_HEADERS },
  });
}

function describeEmulator({ baseUrl, assetsUrl, header }: EmulatorInfo): string[] {
  return [
    'This is the astro-luid emulator: a headless CMS space on your machine.',
    `API: ${baseUrl}/contents (send a key in the header ${header}).`,
    `Media: ${assetsUrl}`,
    'The keys, and the lines for the .env file of your site, are printed in the terminal where the emulator was started.',
    `Guide: ${GUIDE}`,
  ];
}

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

function renderPage([first = '', ...rest]: readonly string[]): string {
  const paragraphs = rest.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>astro-luid emulator</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>astro-luid emulator</h1>
<p>${escapeHtml(first)}</p>
${paragraphs}
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
