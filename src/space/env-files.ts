import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Connect, createConnection } from '../client/http/connection.ts';
import { LuidConfigError } from '../errors.ts';
import type { Settings } from './space-options.ts';

export type Environment = NodeJS.Dict<string>;

/** The environment as Astro will have it once it runs: its files cannot be seen from astro.config otherwise. */
export function readEnvironment(root: URL, mode: 'development' | 'production'): Environment {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`].map(
    (name) => new URL(name, root),
  );
  const values = files.filter((file) => existsSync(file)).map((file) => parseEnv(readFileSync(file, 'utf8')));
  return Object.assign({}, ...values, process.env);
}

/** The variables that commands take from `.env` files: this package's own, and the token of `luid watch`. */
export function isOwnVariable(name: string): boolean {
  return name.startsWith('LUID_') || name === 'GITHUB_TOKEN';
}

/** What the integration needs of a space to speak to the service. */
export interface ConnectingSpace {
  readonly settings: Settings;
  connect(options?: { drafts?: boolean }): Connect;
}

/** The space's own connection; where Astro's secrets would be needed to find it, from the environment. */
export function connectFrom(space: ConnectingSpace, environment: Environment, drafts: boolean): Connect {
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
