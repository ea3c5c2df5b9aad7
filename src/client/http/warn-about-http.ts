/** This machine, and names that are reserved for tests. `URL` has normalized them: every 127.x is in dotted form. */
const THIS_MACHINE = /^((.+\.)?(localhost|test)|127(\.\d+){3}|\[::1\])$/;

/** Warns if requests to this URL send the key over a network without encryption. */
export function warnAboutHttp(baseUrl: string): void {
  const { protocol, hostname, origin } = new URL(baseUrl);
  if (protocol === 'https:' || THIS_MACHINE.test(hostname)) return;
  console.warn(
    `[astro-luid] baseUrl is ${origin}: the API key is sent unencrypted. Use https:// (\`baseUrl\`, LUID_BASE_URL).`,
  );
}
