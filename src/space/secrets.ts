import { shareInProcess } from '../process-registry.ts';

type GetSecret = (name: string) => string | undefined;

/** Astro's `getSecret` for the copy of this package in Node's module graph, which cannot import it. */
const shared = shareInProcess('getSecret', (): { getSecret: GetSecret | undefined } => ({
  getSecret: undefined,
}));

/** Reads a secret with Astro's `getSecret`: from `.env`, or from the host of the adapter. */
export async function findSecret(name: string): Promise<string | undefined> {
  return ((await importGetSecret()) ?? shared.getSecret)?.(name);
}

/** Lets the other copy of this package in the process read secrets as this one does. */
export async function shareSecrets(): Promise<void> {
  shared.getSecret = await importGetSecret();
}

async function importGetSecret(): Promise<GetSecret | undefined> {
  try {
    return (await import('astro:env/server')).getSecret;
  } catch {
    // The module exists only inside Astro, not in a script, a test or the command line.
    return undefined;
  }
}
