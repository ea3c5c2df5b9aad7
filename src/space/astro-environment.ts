/** What only files that Vite processes know of Astro: see in-astro.ts. */
export interface AstroEnvironment {
  /** Whether this is a dev server. */
  readonly isDev: boolean;
  /** Imports Astro's `getSecret`: of the environment, of `.env`, or of the host of the adapter. */
  importGetSecret(): Promise<((name: string) => string | undefined) | undefined>;
}
