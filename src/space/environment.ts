import { LuidConfigError } from '../errors.ts';
import { showValue } from '../options.ts';
import { processVariable } from '../process-variable.ts';

/** The settings of a space that can come from the environment, with their variables. */
export const VARIABLES = {
  baseUrl: 'LUID_BASE_URL',
  assetsUrl: 'LUID_ASSETS_URL',
  apiKey: 'LUID_API_KEY',
  draftApiKey: 'LUID_DRAFT_API_KEY',
} as const;
type Setting = keyof typeof VARIABLES;

/** Looks up a setting: the option, then Astro's secrets (the environment, then `.env`), then `process.env`. */
export async function findSetting(name: Setting, option: string | undefined): Promise<string | undefined> {
  return option || lookUp(VARIABLES[name]);
}

/** Looks up settings that are required. One error names all that are missing. */
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
    // Vite sets NODE_ENV for `astro dev`.
    hint:
      onRequest && processVariable('NODE_ENV') !== 'development' ? runtimeHint(missing) : buildHint(missing),
  });
}

function buildHint(missing: readonly Setting[]): string {
  return (
    `Set ${variablesOf(missing)} in .env, or in the environment of the host or CI that builds the site, ` +
    `or pass defineSpace({ ${missing.join(', ')} }). ` +
    'Looked up in this order: the option, the environment, .env, which Astro reads for packages that package.json lists.'
  );
}

/** `astro dev` and `astro build` read `.env`; a built server does not. */
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

/** Looks up the secret of the refresh endpoint, in the same places as the keys. */
export async function findRefreshSecret(): Promise<string | undefined> {
  return lookUp('LUID_REFRESH_SECRET');
}

/** Looks up the secret of the preview, in the same places as the keys. */
export async function findPreviewSecret(): Promise<string | undefined> {
  return lookUp('LUID_PREVIEW_SECRET');
}

/** Variables that are on or off. */
export type Switch = 'LUID_OFFLINE' | 'LUID_VERIFY';

/** Looks up a switch, in the same places as the keys. */
export async function isSwitchedOn(name: Switch): Promise<boolean> {
  return parseSwitch(name, await lookUp(name));
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

async function lookUp(variable: string): Promise<string | undefined> {
  // Built as `#secrets`, which package.json resolves to a stub in browsers: Astro fails to build pages that import its
  // secrets.
  const { findSecret } = await import('./secrets.ts');
  return (await findSecret(variable)) || processVariable(variable);
}
