export type GetSecret = (name: string) => string | undefined;

/** In Node's copy of this module, which cannot import Astro's. */
let passedGetSecret: GetSecret | undefined;

/** Reads a secret with Astro's `getSecret`: from `.env`, or from the host of the adapter. */
export async function findSecret(name: string): Promise<string | undefined> {
  return (passedGetSecret ?? (await importGetSecret()))?.(name);
}

/** Astro's `getSecret`, or `undefined` outside of Vite: in a script, a test or the command line. */
export async function importGetSecret(): Promise<GetSecret | undefined> {
  try {
    return (await import('astro:env/server')).getSecret;
  } catch {
    return undefined;
  }
}

/** Called by load-in-node.ts, with what Vite's copy of this module has imported. */
export function passGetSecret(getSecret: GetSecret | undefined): void {
  passedGetSecret = getSecret;
}
