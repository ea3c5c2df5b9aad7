import type { Clock } from '../client/http/clock.ts';
import {
  type Connect,
  createConnection,
  NETWORK_OPTIONS,
  type NetworkOptions,
} from '../client/http/connection.ts';
import { withTotalTimeout } from '../client/http/limits/total-timeout.ts';
import { parseHttpUrl } from '../client/http/parse-http-url.ts';
import { isLuid } from '../contract/luid.ts';
import { SERVICE_NAMES, type ServiceName } from '../contract/services.ts';
import type { CheckedModels } from '../models/check.ts';
import type { ModelMap } from '../models/types.ts';
import type { CacheOptions } from '../replica/store/storage.ts';
import { LuidConfigError } from '../shared/errors.ts';
import {
  anything,
  boolean,
  callback,
  checkOptions,
  either,
  headerName,
  literal,
  type OptionRule,
  object,
  secret,
  showValue,
  string,
  strings,
} from '../shared/options.ts';
import type { AstroEnvironment } from './astro-environment.ts';
import { type Duration, duration } from './duration.ts';
import { findSetting, requireSettings, VARIABLES } from './environment/environment.ts';

/** The languages of a space, by their keys. */
export interface Languages<L extends string = string> {
  readonly main: L;
  readonly sub?: readonly L[];
}

/** The options of `defineSpace`. */
export interface SpaceOptions<M extends ModelMap, L extends string = string> {
  /** The service: sets `baseUrl`, `assetsUrl` and `apiKeyHeader`, as far as they are not set. Default: LUID_SERVICE. */
  readonly service?: ServiceName | undefined;
  /** The service's URL, with its version segment. Default: LUID_BASE_URL. */
  readonly baseUrl?: string | undefined;
  /** The base URL of media. Default: LUID_ASSETS_URL. */
  readonly assetsUrl?: string | undefined;
  /** The key that builds use. Default: LUID_API_KEY. */
  readonly apiKey?: string | undefined;
  /** The key that reads drafts, used only with `drafts: true`. Default: LUID_DRAFT_API_KEY. */
  readonly draftApiKey?: string | undefined;
  /** Default: LUID_API_KEY_HEADER, then that of the service, then `X-SERVICE-API-KEY`. */
  readonly apiKeyHeader?: string | undefined;
  /** LUID of a sub-space. Default: every space that the key may read. */
  readonly space?: string | undefined;
  /** The languages of a space that has several. */
  readonly languages?: Languages<L> | undefined;
  /** The models: LUID → fields, made with `field`. */
  readonly models: M & CheckedModels<M>;
  /** Read the dimensions of the images in every media field, not only in those with `dimensions: true`. */
  readonly dimensions?: boolean | undefined;
  /** The cache between builds, or `false` for none. */
  readonly cache?: CacheOptions | false | undefined;
  readonly network?: NetworkOptions | undefined;
  /**
   * If the service is unavailable: `'fail'` the build (default), or use the cached content with a warning;
   * `{ stale: '2d' }` only if it is not older than that.
   */
  readonly onError?: 'fail' | 'stale' | { readonly stale: Duration } | undefined;
  /** An entry that does not fit its model: `'fail'` the build (default), or `'skip'` it with a warning. */
  readonly onInvalid?: 'fail' | 'skip' | undefined;
  /** How old the last full sync may be before the next one (default 24h), or `'always'`. */
  readonly verify?: { readonly maxAge?: Duration | undefined } | 'always' | undefined;
  /** Drop fields that the map does not name. Default: they pass through untyped. */
  readonly strict?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The time, and how to wait, for tests: of requests, and of how old content is. */
  readonly clock?: Clock | undefined;
}

/** The options that may be printed: everything but the keys; and but the models, which are typed. */
export type Settings<L extends string = string> = Omit<
  SpaceOptions<ModelMap, L>,
  'models' | 'apiKey' | 'draftApiKey'
> & {
  /** Absent where Vite does not process the file that defines the space. */
  readonly astro?: AstroEnvironment | undefined;
};

/** The keys of a space, which must never be printed. */
export type Keys = Pick<SpaceOptions<ModelMap>, 'apiKey' | 'draftApiKey'>;

const OPTIONS = {
  service: either(...SERVICE_NAMES.map((name) => literal(name))),
  baseUrl: string,
  assetsUrl: string,
  apiKey: secret,
  draftApiKey: secret,
  apiKeyHeader: headerName,
  space: string,
  languages: object({ main: string, sub: strings }, "{ main: 'ja', sub: ['en'] }"),
  models: anything,
  dimensions: boolean,
  cache: either(object({ dir: string, storage: anything }, '{ dir }, { storage }'), literal(false)),
  network: NETWORK_OPTIONS,
  onError: either(literal('fail'), literal('stale'), object({ stale: duration }, "{ stale: '2d' }")),
  onInvalid: either(literal('fail'), literal('skip')),
  verify: either(literal('always'), object({ maxAge: duration }, "{ maxAge: '24h' }")),
  strict: boolean,
  fetch: callback,
  clock: anything,
} satisfies Record<keyof SpaceOptions<ModelMap>, OptionRule>;

/** Throws for options that cannot work. No message may contain a key. */
export function checkSpaceOptions(options: object): void {
  checkOptions('defineSpace', options, OPTIONS);
  const { space, languages, onError } = options as SpaceOptions<ModelMap>;
  if (space !== undefined && !isLuid(space)) {
    throw new LuidConfigError(`defineSpace: space must be a LUID, got ${showValue(space)}`, {
      hint: 'Pass the LUID of a sub-space, "_parent" for the parent space, or omit it.',
    });
  }
  if (typeof onError === 'object' && onError.stale === undefined) {
    throw new LuidConfigError('defineSpace: onError.stale is missing', {
      hint: "Write onError: 'stale' for content of any age, or onError: { stale: '2d' }.",
    });
  }
  if (languages) checkLanguages(languages);
}

function checkLanguages({ main, sub = [] }: Languages): void {
  if (!main) {
    throw new LuidConfigError('defineSpace: languages.main is missing', {
      hint: "Write languages: { main: 'ja', sub: ['en'] } with the space’s own language keys.",
    });
  }
  const duplicate = sub.find((key, index) => key === main || sub.indexOf(key) < index);
  if (duplicate === undefined) return;
  throw new LuidConfigError(`defineSpace: languages names ${showValue(duplicate)} twice`, {
    hint: 'List the main language in `main` only, and each other language once in `sub`.',
  });
}

/** Connects to the service. URL and key are looked up by the first request. */
export function connectWith(
  settings: Settings,
  keys: Keys,
  { drafts = false, onRequest = false } = {},
): Connect {
  const key = drafts ? 'draftApiKey' : 'apiKey';
  let connecting: ReturnType<Connect> | undefined;
  const open = async () => {
    const options = { ...settings, [key]: keys[key] };
    const required = await requireSettings(['baseUrl', key], options, { onRequest });
    const connection = createConnection({
      ...settings,
      baseUrl: required.baseUrl,
      apiKey: required[key],
      apiKeyHeader: await findSetting('apiKeyHeader', settings),
      apiKeyVariable: VARIABLES[key],
      readsPublished: !drafts,
    });
    // A visitor waits for the page.
    return onRequest ? withTotalTimeout(connection) : connection;
  };
  return () => {
    connecting ??= open().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
}

/** The base URL of media, if it is set. */
export async function findAssetsUrl(settings: Settings): Promise<string | undefined> {
  const found = await findSetting('assetsUrl', settings);
  return found ? parseHttpUrl('assetsUrl', 'LUID_ASSETS_URL', found) : undefined;
}
