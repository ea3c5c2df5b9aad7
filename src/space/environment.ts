import { LuidConfigError } from '../errors.ts';
import { showValue } from '../options.ts';
import { processVariable } from '../process-variable.ts';

/** The settings of a space that the environment may hold. */
export const VARIABLES = {
  baseUrl: 'LUID_BASE_URL',
  assetsUrl: 'LUID_ASSETS_URL',
  apiKey: 'LUID_API_KEY',
  draftApiKey: 'LUID_DRAFT_API_KEY',
} as const;
type Setting = keyof typeof VARIABLES;

/** A setting: the option, else Astro's secret, else the environment. */
export async function findSetting(name: Setting, option: string | undefined): Promise<string | undefined> {
  return option || lookUp(VARIABLES[name]);
}

/** Settings that must be there; one error names all that are missing. */
export async function requireSettings<N extends Setting>(
  options: Readonly<Record<N, string | undefined>>,
  { onRequest = false } = {},
): Promise<Record<N, string>> {
  const names = Object.keys(options) as N[];
  const values = await Promise.all(names.map((name) => findSetting(name, options[name])));
  const missing = names.filter((_, index) => !values[index]);
  if (missing.length === 0) {
    return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<N, string>;
  }
  throw new LuidConfigError(`The space has no ${missing.join(' and no ')}`, {
    hint: onRequest && !isDevelopment() ? runtimeHint(missing) : buildHint(missing),
  });
}

function buildHint(missing: readonly Setting[]): string {
  return (
    `Set ${variablesOf(missing)} in .env, or in the environment of the host or CI that builds the site, ` +
    `or pass defineSpace({ ${missing.join(', ')} }). ` +
    'Looked up in this order: the option, Astro’s secrets (.env), process.env.'
  );
}

/** `.env` is read by `astro dev` and `astro build`; whoever starts what was built must set the variables. */
function runtimeHint(missing: readonly Setting[]): string {
  return (
    `This page is rendered on request, and the server was started without ${variablesOf(missing)}. ` +
    'A built server does not read .env: start it with `node --env-file=.env dist/server/entry.mjs`, ' +
    'or set them as run-time variables in the host’s settings.'
  );
}

function variablesOf(names: readonly Setting[]): string {
  return names.map((name) => VARIABLES[name]).join(' and ');
}

/** Vite sets it for `astro dev`. */
function isDevelopment(): boolean {
  return processVariable('NODE_ENV') === 'development';
}

/** Variables that turn something on: in `.env` or in the environment. */
export type Switch = 'LUID_OFFLINE' | 'LUID_VERIFY';

/** Whether a switch is on, looked up like the keys. */
export async function isSwitchedOn(name: Switch): Promise<boolean> {
  return parseSwitch(name, await lookUp(name));
}

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['', '0', 'false', 'no', 'off'];

/** The value of a switch, in upper or lower case. One that is neither on nor off is an error. */
export function parseSwitch(name: Switch, value: string | undefined): boolean {
  const given = (value ?? '').trim().toLowerCase();
  if (ON.includes(given)) return true;
  if (OFF.includes(given)) return false;
  throw new LuidConfigError(`${name} is ${showValue(value)}`, {
    hint: `Set it to one of ${ON.join(', ')}, or to one of ${OFF.slice(1).join(', ')}, or unset it.`,
  });
}

async function lookUp(variable: string): Promise<string | undefined> {
  return (await astroSecret(variable)) || processVariable(variable);
}

/** Astro ends the build of any script for browsers that could reach its secrets, so this is a module of its own. */
async function astroSecret(name: string): Promise<string | undefined> {
  const { findSecret } = await import('./secrets.ts');
  return findSecret(name);
}
