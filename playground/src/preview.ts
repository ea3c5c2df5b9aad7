import { getSecret } from 'astro:env/server';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AstroCookies } from 'astro';

/*
 * Drafts are visible with LUID_PREVIEW_SECRET. Passing it sets a cookie that proves it without containing
 * the secret.
 */
const COOKIE = 'preview';
const HOURS = 8;
const settings = { path: '/preview', httpOnly: true, sameSite: 'lax' } as const;

/** Without a secret there is no preview. */
export const isOffered = () => Boolean(getSecret('LUID_PREVIEW_SECRET'));

export function isSecret(given: string): boolean {
  return equal(proofOf(given), proof());
}

export function isAllowed(cookies: AstroCookies): boolean {
  return isOffered() && equal(cookies.get(COOKIE)?.value ?? '', proof());
}

export function allow(cookies: AstroCookies, url: URL): void {
  cookies.set(COOKIE, proof(), { ...settings, secure: url.protocol === 'https:', maxAge: HOURS * 3600 });
}

export function leave(cookies: AstroCookies): void {
  cookies.delete(COOKIE, settings);
}

const proof = () => proofOf(getSecret('LUID_PREVIEW_SECRET') ?? '');
const proofOf = (secret: string) => createHmac('sha256', secret).update('preview of drafts').digest('hex');

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
