import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { parseLikeDotenv } from '../../../src/cli/init/env/env-file.ts';

interface Vite {
  loadEnv(mode: string, folder: string, prefix: string): Record<string, string>;
}

/** The Vite that Astro uses. */
const astro = createRequire(import.meta.url).resolve('astro/package.json');
export const { loadEnv }: Vite = await import(pathToFileURL(createRequire(astro).resolve('vite')).href);

/** A folder's `.env` as Node, dotenv and Vite read it. */
export async function readEnvFile(folder: string): Promise<Record<'node' | 'dotenv' | 'vite', object>> {
  const text = readFileSync(join(folder, '.env'), 'utf8');
  return {
    node: { ...parseEnv(text) },
    dotenv: { ...parseLikeDotenv(text) },
    vite: readWithVite(folder),
  };
}

/** Vite adds variables of the process, such as the LUID_RUNS of a test. */
function readWithVite(folder: string): Record<string, string> {
  const original = process.env;
  const others = Object.entries(original).filter(([name]) => !name.startsWith('LUID_'));
  process.env = Object.fromEntries(others);
  try {
    return loadEnv('production', folder, 'LUID_');
  } finally {
    process.env = original;
  }
}
