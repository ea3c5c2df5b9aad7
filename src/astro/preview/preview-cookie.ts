import type { APIContext, AstroCookies } from 'astro';
import { findEndpointSecret } from '../../space/environment/environment.ts';
import type { PreviewSettings } from './preview-settings.ts';
import { createToken, publicKeyOf, readToken } from './preview-token.ts';

const COOKIE = 'luid-preview';

/** The cookie that shows drafts. It proves the secret without containing it. */
function cookieOptions({ base }: PreviewSettings) {
  return { path: base, httpOnly: true, sameSite: 'lax' } as const;
}

/** The value of the cookie, if this is the secret of a public key. */
export async function signCookie(
  secret: string,
  publicKey: string,
  { maxAge }: Pick<PreviewSettings, 'maxAge'>,
): Promise<string | undefined> {
  const now = Date.now();
  const token = await createToken(secret, now + maxAge * 1000);
  const isValid = (await readToken(token, publicKey, { now, maxAge })) !== undefined;
  return isValid ? token : undefined;
}

export function setCookie(
  { cookies, url, request }: Pick<APIContext, 'cookies' | 'url' | 'request'>,
  token: string,
  settings: PreviewSettings,
): void {
  const secure = url.protocol === 'https:' || isForwardedHttps(request);
  cookies.set(COOKIE, token, { ...cookieOptions(settings), secure, maxAge: settings.maxAge });
}

/**
 * Whether the visitor uses HTTPS, which a proxy in front of the server ends. Astro ignores the header unless the site has
 * `security.allowedDomains`. Here everybody may send it: it can only forbid their own browser to send the cookie by HTTP.
 */
function isForwardedHttps({ headers }: Request): boolean {
  return /^https\b/i.test(headers.get('x-forwarded-proto') ?? '');
}

export function deleteCookie(cookies: AstroCookies, settings: PreviewSettings): void {
  cookies.delete(COOKIE, cookieOptions(settings));
}

/** When the preview of this visitor ends; `undefined` if there is none. */
export async function previewEnd(
  cookies: AstroCookies,
  settings: PreviewSettings,
): Promise<number | undefined> {
  const token = cookies.get(COOKIE)?.value;
  const publicKey = token && (await findPublicKey(settings));
  return publicKey ? readToken(token, publicKey, { now: Date.now(), maxAge: settings.maxAge }) : undefined;
}

/** The public key of the secret. Without a secret there is no preview. */
export async function findPublicKey({
  publicKey,
  astro,
}: Pick<PreviewSettings, 'publicKey' | 'astro'>): Promise<string | undefined> {
  if (publicKey) return publicKey;
  const secret = await findEndpointSecret('LUID_PREVIEW_SECRET', astro);
  return secret && publicKeyOf(secret);
}
