/** Reads a secret with Astro's `getSecret`: from `.env`, or from the host of the adapter. */
export async function findSecret(name: string): Promise<string | undefined> {
  try {
    const { getSecret } = await import('astro:env/server');
    return getSecret(name);
  } catch {
    // The module exists only inside Astro, not in a script, a test or the command line.
    return undefined;
  }
}
