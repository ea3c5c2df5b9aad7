import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Connect, createConnection } from '../client/http/connection.ts';
import { LuidConfigError } from '../errors.ts';
import type { ConnectedSpace } from './space.ts';

export type Environment = NodeJS.Dict<string>;

/** The environment with the `.env` files that Astro will read, in its order. Astro does not load them for astro.config. */
export function readEnvironment(root: URL, mode: 'development' | 'production'): Environment {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`].map(
    (name) => new URL(name, root),
  );
  const values = files.filter((file) => existsSync(file)).map((file) => parseEnv(readFileSync(file, 'utf8')));
  return Object.assign({}, ...values, process.env);
}

/** Whether commands read a variable from `.env` files: this package's own, and the token for `luid watch`. */
export function isOwnVariable(name: string): boolean {
  return name.startsWith('LUID_') || name === 'GITHUB_TOKEN';
}

/** The space's own connection; with URL and key from `environment` if only Astro's secrets have them. */
export function connectFrom(space: ConnectedSpace, environment: Environment, drafts: boolean): Connect {
  const own = space.connect({ drafts });
  return async () => {
    try {
      return await own();
    } catch (error) {
      const variable = drafts ? 'LUID_DRAFT_API_KEY' : 'LUID_API_KEY';
      const baseUrl = space.settings.baseUrl || environment.LUID_BASE_URL;
      const apiKey = environment[variable];
      if (!LuidConfigError.is(error) || !baseUrl || !apiKey) throw error;
      return createConnection({ ...space.settings, baseUrl, apiKey, apiKeyVariable: variable });
    }
  };
}
