const STORED = 'luid-studio-token';

/**
 * Takes the access token from the URL that the terminal printed, `/#token=…`, and removes it from the address bar. It
 * is kept for further tabs, and is worthless after the emulator ends. Any website can link to the page with another
 * one: that must not replace it.
 */
export async function takeToken(): Promise<void> {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (!token) return;
  history.replaceState(null, '', '/');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch('/_studio/api/space', { headers }).catch(() => undefined);
  if (response?.ok) localStorage.setItem(STORED, token);
}

export function readToken(): string | null {
  return localStorage.getItem(STORED);
}
