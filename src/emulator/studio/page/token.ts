const STORED = 'luid-studio-token';

/**
 * Takes the access token from the URL that the terminal printed, `/#token=…`, and removes it from the address bar. It
 * is kept for further tabs, and is worthless after the emulator ends.
 */
export function takeToken(): void {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (!token) return;
  localStorage.setItem(STORED, token);
  history.replaceState(null, '', '/');
}

export function readToken(): string | null {
  return localStorage.getItem(STORED);
}
