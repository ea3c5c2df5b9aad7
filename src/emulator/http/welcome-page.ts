import { bytesResponse, JSON_HEADERS, jsonResponse } from './responses.ts';

/** What the page shows. Never a key: any local program can read the page. */
interface EmulatorInfo {
  readonly baseUrl: string;
  readonly assetsUrl: string;
  /** The name of the header with the key. */
  readonly header: string;
}

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
  if (isBrowser) return textResponse(renderPage(lines), status, 'text/html; charset=utf-8');
  if (accept.includes('application/json')) {
    const body = {
      status: String(status),
      code: status === 200 ? 'OK' : 'Not Found',
      message: lines.join(' '),
    };
    return jsonResponse(body, { status, headers: { ...JSON_HEADERS, ...SECURITY_HEADERS } });
  }
  return textResponse(`${lines.join('\n')}\n`, status, 'text/plain; charset=utf-8');
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

function textResponse(text: string, status: number, type: string): Response {
  return bytesResponse(new TextEncoder().encode(text), {
    status,
    headers: { 'content-type': type, ...SECURITY_HEADERS },
  });
}

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
