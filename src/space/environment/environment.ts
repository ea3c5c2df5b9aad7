import { parseServiceName, SERVICE_NAMES, SERVICES } from '../../contract/services.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { processVariable } from '../../shared/process.ts';
import type { AstroEnvironment } from '../astro-environment.ts';
import { isLongEnough } from './secret-length.ts';

/** The settings of a space that can come from the environment, with their variables. */
export const VARIABLES = {
  service: 'LUID_SERVICE',
  baseUrl: 'LUID_BASE_URL',
  assetsUrl: 'LUID_ASSETS_URL',
  apiKeyHeader: 'LUID_API_KEY_HEADER',
  apiKey: 'LUID_API_KEY',
  draftApiKey: 'LUID_DRAFT_API_KEY',
} as const;
type Setting = keyof typeof VARIABLES;
type Options = { readonly [name in Setting]?: string | undefined } & {
  readonly astro?: AstroEnvironment | undefined;
};

/**
 * Looks up a setting: the option, then Astro's secrets (the environment, then `.env`), then `process.env`, then
 * what the service has.
 */
export async function findSetting(name: Setting, options: Options): Promise<string | undefined> {
  const found = options[name] || (await lookUp(VARIABLES[name], options.astro));
  return found || settingOf(options.service || (await lookUp(VARIABLES.service, options.astro)), name);
}

/** `findSetting` in an environment that was read before. */
export function findSettingIn(
  environment: { readonly [variable: string]: string | undefined },
  name: Setting,
  options: Options,
): string | undefined {
  const found = options[name] || environment[VARIABLES[name]];
  return found || settingOf(options.service || environment[VARIABLES.service], name);
}

function settingOf(service: string | undefined, name: Setting): string | undefined {
  if (!service) return undefined;
  const preset: Options = SERVICES[parseServiceName(service)];
  return preset[name];
}

/** Looks up settings that are required. One error names all that are missing. */
export async function requireSettings<N extends Setting>(
  names: readonly N[],
  options: Options,
  { onRequest = false } = {},
): Promise<Record<N, string>> {
  const values = await Promise.all(names.map((name) => findSetting(name, options)));
  const missing = names.filter((_, index) => !values[index]);
  if (missing.length === 0) {
    return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<N, string>;
  }
  throw new LuidConfigError(`The space has no ${missing.join(' and no ')}`, {
    // Vite sets NODE_ENV for `astro dev`.
    hint:
      onRequest && processVariable('NODE_ENV') !== 'development' ? runtimeHint(missing) : buildHint(missing),
  });
}

function buildHint(missing: readonly Setting[]): string {
  return (
    `Set ${variablesOf(missing)} in .env, or in the environment of the host or CI that builds the site, ` +
    `or pass defineSpace({ ${missing.join(', ')} }). ` +
    `Looked up in this order: the option, the environment, .env.${serviceHint(missing)}`
  );
}

/** `astro dev` and `astro build` read `.env`; a built server does not. */
function runtimeHint(missing: readonly Setting[]): string {
  return (
    `This page is rendered on request, and the server was started without ${variablesOf(missing)}. ` +
    'A built server does not read .env: start it with `node --env-file=.env dist/server/entry.mjs`, ' +
    `or set them as run-time variables in the host’s settings.${serviceHint(missing)}`
  );
}

function serviceHint(missing: readonly Setting[]): string {
  return missing.includes('baseUrl')
    ? ` Instead of the URL, LUID_SERVICE can be ${SERVICE_NAMES.join(' or ')}.`
    : '';
}

function variablesOf(names: readonly Setting[]): string {
  return names.map((name) => VARIABLES[name]).join(' and ');
}

/** Looks up the secret of an endpoint, in the same places as the keys. One that is too short counts as none. */
export async function findEndpointSecret(
  variable: 'LUID_REFRESH_SECRET' | 'LUID_PREVIEW_SECRET',
  astro: AstroEnvironment | undefined,
): Promise<string | undefined> {
  const secret = await lookUp(variable, astro);
  return secret && isLongEnough(secret) ? secret : undefined;
}

/** Variables that are on or off. */
export type Switch = 'LUID_OFFLINE' | 'LUID_VERIFY';

/** Looks up a switch, in the same places as the keys. */
export async function isSwitchedOn(name: Switch, astro?: AstroEnvironment): Promise<boolean> {
  return parseSwitch(name, await lookUp(name, astro));
}

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['', '0', 'false', 'no', 'off'];

/** Parses the value of a switch, in upper or lower case. Throws if it is neither on nor off. */
export function parseSwitch(name: Switch, value: string | undefined): boolean {
  const normalized = (value ?? '').trim().toLowerCase();
  if (ON.includes(normalized)) return true;
  if (OFF.includes(normalized)) return false;
  throw new LuidConfigError(`${name} must be on or off, got ${showValue(value)}`, {
    hint: `Set it to one of ${ON.join(', ')}, or to one of ${OFF.slice(1).join(', ')}, or unset it.`,
  });
}

async function lookUp(variable: string, astro: AstroEnvironment | undefined): Promise<string | undefined> {
  const getSecret = await astro?.importGetSecret();
  return getSecret?.(variable) || processVariable(variable);
}
