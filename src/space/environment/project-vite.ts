import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What this package uses of Vite. */
export interface Vite {
  runnerImport(
    path: string,
    config: object,
  ): Promise<{ readonly module: Record<string, unknown>; readonly dependencies: readonly string[] }>;
  loadEnv(mode: string, envDir: string | false, prefix: string): Record<string, string>;
}

/** The Vite of the project's Astro. Rejects if Astro is not installed there. */
export async function importVite(root: string): Promise<Vite> {
  const astro = createRequire(join(root, 'package.json')).resolve('astro/package.json');
  return import(/* @vite-ignore */ pathToFileURL(createRequire(astro).resolve('vite')).href);
}
