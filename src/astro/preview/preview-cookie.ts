import type { AstroCookies } from 'astro';
import { findSecretHash, type PreviewSettings } from './preview-settings.ts';
import { createToken, readToken } from './preview-token.ts';

const COOKIE = 'luid-preview';

/** The cookie that shows drafts. It proves the secret without containing it. */
function cookieOptions({ base }: PreviewSettings) {
  return { path: base, httpOnly: true, sameSite: 'lax' } as const;
}

export async function setCookie(
  cookies: AstroCookies,
  url: URL,
  hash: Uint8Array<ArrayBuffer>,
  settings: PreviewSettings,
): Promise<void> {
  const { maxAge } = settings;
  const token = await createToken(hash, Date.now() + maxAge * 1000);
  cookies.set(COOKIE, token, { ...cookieOptions(settings), secure: url.protocol === 'https:', maxAge });
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
  const hash = token && (await findSecretHash(settings));
  return token && hash ? readToken(token, hash, Date.now()) : undefined;
}
