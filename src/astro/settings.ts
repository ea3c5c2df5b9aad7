import { type Connect, connection, type NetworkOptions } from '../client/connection.ts';
import { isLuid } from '../contract/luid.ts';
import { LuidConfigError } from '../errors.ts';
import type { CheckedModels } from '../models/check.ts';
import type { ModelMap } from '../models/types.ts';
import type { CacheOptions } from '../replica/storage.ts';

/** What `defineSpace` takes. */
export interface SpaceOptions<M extends ModelMap> {
  /** The service's address, with its version segment. Default: LUID_BASE_URL. */
  readonly baseUrl?: string | undefined;
  /** Where media lie. Default: LUID_ASSETS_URL. */
  readonly assetsUrl?: string | undefined;
  /** The key that builds use. Default: LUID_API_KEY. */
  readonly apiKey?: string | undefined;
  /** The key that may read drafts, used only where drafts are asked for. Default: LUID_DRAFT_API_KEY. */
  readonly draftApiKey?: string | undefined;
  /** Default `X-SERVICE-API-KEY`. */
  readonly apiKeyHeader?: string | undefined;
  /** LUID of the sub-space, where the space has any. Default: every space that the key may read. */
  readonly space?: string | undefined;
  /** The space's languages, where it has several. */
  readonly languages?: { readonly main: string; readonly sub?: readonly string[] } | undefined;
  /** The models: LUID → fields, made with `field`. */
  readonly models: M & CheckedModels<M>;
  /** Read the size of the pictures of every media field, not only of those with `dimensions: true`. */
  readonly dimensions?: boolean | undefined;
  /** The cache between builds, or `false` for none. */
  readonly cache?: CacheOptions | false | undefined;
  readonly network?: NetworkOptions | undefined;
  /**
   * When the service fails: `'fail'` the build (default), or go on with the last good content, loudly;
   * `{ stale: '2d' }` only if it is not older than that.
   */
  readonly onError?: 'fail' | 'stale' | { readonly stale: Duration } | undefined;
  /** An entry that does not fit its model: `'fail'` the build (default), or `'skip'` it with a warning. */
  readonly onInvalid?: 'fail' | 'skip' | undefined;
  /** How old a whole read may be before everything is read again (default 24h), or `'always'`. */
  readonly verify?: { readonly maxAge?: Duration | undefined } | 'always' | undefined;
  /** Drop fields that the map does not name. Default: they pass through untyped. */
  readonly strict?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** Milliseconds, or a text such as `90s`, `10min`, `24h` or `7d`. */
export type Duration = number | `${number}${'s' | 'min' | 'h' | 'd'}`;

const UNITS = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

export function milliseconds(duration: Duration, name: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(s|min|h|d)$/.exec(String(duration)) ?? [];
  const time = typeof duration === 'number' ? duration : Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (time >= 0) return time;
  throw new LuidConfigError(`${name} is ${JSON.stringify(duration)}`, {
    hint: 'Give milliseconds, or a text such as 90s, 10min, 24h or 7d.',
  });
}

/** What may be shown of the options: everything but the models, which are typed, and the keys. */
export type Settings = Omit<SpaceOptions<ModelMap>, 'models' | 'apiKey' | 'draftApiKey'>;

/** The keys of a space, which stay out of everything that could be printed. */
export type Keys = Pick<SpaceOptions<ModelMap>, 'apiKey' | 'draftApiKey'>;

export function checkSettings(settings: Settings): void {
  const { onError, verify, dimensions } = settings;
  if (dimensions !== undefined && typeof dimensions !== 'boolean') {
    throw new LuidConfigError(`defineSpace: dimensions is ${JSON.stringify(dimensions)}`, {
      hint: 'Give true or false.',
    });
  }
  if (typeof onError === 'object') milliseconds(onError.stale, 'onError.stale');
  if (typeof verify === 'object' && verify.maxAge !== undefined) milliseconds(verify.maxAge, 'verify.maxAge');
  if (settings.space !== undefined && !isLuid(settings.space)) {
    throw new LuidConfigError(`defineSpace: space is ${JSON.stringify(settings.space)}, which is no LUID`, {
      hint: 'Give the LUID of a sub-space, "_parent" for the parent space, or leave it out.',
    });
  }
}

const VARIABLES = {
  baseUrl: 'LUID_BASE_URL',
  assetsUrl: 'LUID_ASSETS_URL',
  apiKey: 'LUID_API_KEY',
  draftApiKey: 'LUID_DRAFT_API_KEY',
} as const;
type Setting = keyof typeof VARIABLES;

/** How to reach the service. Nothing is looked up until the first request. */
export function connectWith(settings: Settings, keys: Keys, { drafts = false } = {}): Connect {
  const key = drafts ? 'draftApiKey' : 'apiKey';
  let found: ReturnType<Connect> | undefined;
  const open = async () =>
    connection({
      ...settings,
      baseUrl: await required('baseUrl', settings.baseUrl),
      apiKey: await required(key, keys[key]),
      apiKeyVariable: VARIABLES[key],
    });
  return () => {
    found ??= open().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

/** Where media lie, if anything says so. */
export async function findAssetsUrl({ assetsUrl }: Settings): Promise<string | undefined> {
  const found = await find('assetsUrl', assetsUrl);
  if (!found || (URL.canParse(found) && /^https?:$/.test(new URL(found).protocol))) return found;
  throw new LuidConfigError(`assetsUrl is no http address: ${JSON.stringify(found)}`, {
    hint: 'Correct the option or LUID_ASSETS_URL: https://….',
  });
}

/** A setting: the option, else Astro's secret, else the environment. */
async function find(name: Setting, option: string | undefined): Promise<string | undefined> {
  const variable = VARIABLES[name];
  return option || (await astroSecret(variable)) || environment(variable);
}

async function required(name: Setting, option: string | undefined): Promise<string> {
  const variable = VARIABLES[name];
  const value = await find(name, option);
  if (value) return value;
  throw new LuidConfigError(`The space has no ${name}`, {
    hint:
      `Set ${variable} in .env or in the environment, or give defineSpace({ ${name} }). ` +
      'Looked at, in this order: the option, Astro’s secrets (.env), process.env.',
  });
}

/** Astro ends the build of any script for browsers that could reach its secrets, so this is a module of its own. */
async function astroSecret(name: string): Promise<string | undefined> {
  const { findSecret } = await import('./secrets.ts');
  return findSecret(name);
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}
