import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SERVICES } from '../../../contract/services.ts';
import { type Environment, readEnvironment } from '../../../space/environment/env-files.ts';
import type { Credentials } from '../connect.ts';

/**
 * The variables that a space needs. What the service has is not repeated, unless a variable is set that would override
 * it. `contentMedia` is the base URL of the media in the content, if it has any.
 */
export function spaceVariables(
  { service, baseUrl, apiKey, apiKeyHeader }: Credentials,
  contentMedia: string | undefined,
  existing: Environment,
): { readonly [variable: string]: string } {
  const preset = service && SERVICES[service];
  const isOwnUrl = baseUrl === preset?.baseUrl;
  const media = contentMedia ?? (isOwnUrl ? preset?.assetsUrl : undefined);
  const isOwnMedia = preset !== undefined && `${media}/`.startsWith(`${preset.assetsUrl}/`);
  const isSet = (name: string) => existing[name] !== undefined;
  return {
    ...(service && { LUID_SERVICE: service }),
    ...((!isOwnUrl || isSet('LUID_BASE_URL')) && { LUID_BASE_URL: baseUrl }),
    ...(media !== undefined &&
      (!isOwnMedia || isSet('LUID_ASSETS_URL')) && {
        LUID_ASSETS_URL: isOwnMedia ? preset.assetsUrl : media,
      }),
    ...((isSet('LUID_API_KEY_HEADER') || (!service && isSet('LUID_SERVICE'))) && {
      LUID_API_KEY_HEADER: apiKeyHeader,
    }),
    LUID_API_KEY: apiKey,
  };
}

/** A variable that has another value than the one in `.env`. */
export interface EnvOverride {
  readonly name: string;
  /** The file that sets it, or `the environment`. */
  readonly where: string;
}

const MODES = ['production', 'development'] as const;

/** The variables that another file or the shell sets to another value than `.env`, in builds or in the dev server. */
export async function findEnvOverrides(
  folder: string,
  { assetsUrl, ...credentials }: Credentials & { readonly assetsUrl: string | undefined },
): Promise<EnvOverride[]> {
  const overrides = new Map<string, EnvOverride>();
  for (const mode of MODES) {
    const effective = await readEnvironment({ root: folder, mode });
    for (const [name, value] of Object.entries(spaceVariables(credentials, assetsUrl, effective))) {
      const where = effective[name] === value ? undefined : findSource(folder, mode, name);
      if (where !== undefined) overrides.set(`${name} ${where}`, { name, where });
    }
  }
  return [...overrides.values()];
}

/** What sets a variable, in the order of precedence; `undefined` if nothing but `.env` does. */
function findSource(folder: string, mode: string, name: string): string | undefined {
  if (process.env[name] !== undefined) return 'the environment';
  const files = [`.env.${mode}.local`, `.env.${mode}`, '.env.local'];
  return files.find((file) => readEnvFile(join(folder, file))[name] !== undefined);
}

/** The variables of a `.env` file, as it is written: `$NAME` is not expanded. Empty if there is no such file. */
export function readEnvFile(path: string): Environment {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? parseEnv(readFileSync(path, 'utf8')) : {};
}
