/** A secret of Astro's: from `.env`, or from wherever the adapter's host keeps them. */
export async function findSecret(name: string): Promise<string | undefined> {
  try {
    const { getSecret } = await import('astro:env/server');
    return getSecret(name);
  } catch {
    // Outside of Astro (a script, a test, the command line) there is no such module.
    return undefined;
  }
}
