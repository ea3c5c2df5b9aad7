type GetSecret = (name: string) => string | undefined;

interface AstroEnvironment {
  readonly isDev: boolean;
  /** Astro's `getSecret`: from the environment, `.env`, or the host of the adapter. */
  readonly getSecret: Promise<GetSecret | undefined>;
}

/** Known only to files that Vite processes: see astro/connect-astro.ts. */
let current: AstroEnvironment | undefined;

/** Uses what is imported, if it exists, from now on. */
export function useAstroEnvironment(isDev: boolean, importing: Promise<GetSecret>): void {
  const before = current;
  current = { isDev, getSecret: importing.catch(() => before?.getSecret) };
}

/** Reads a secret with Astro's `getSecret`. */
export async function findSecret(name: string): Promise<string | undefined> {
  return (await current?.getSecret)?.(name);
}

/** Whether this is a dev server of Astro. */
export function isDevServer(): boolean {
  return current?.isDev ?? false;
}
