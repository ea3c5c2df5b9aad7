import { LONGEST_TIMER } from '../../client/http/clock.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import {
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
} from '../../shared/options.ts';
import { type Duration, duration, milliseconds } from '../../space/duration.ts';
import { checkSecretLength } from '../../space/environment/secret-length.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import type { EditUrl } from '../dev/toolbar.ts';
import { LINT_OPTIONS, type LintOptions } from '../lint/lint-options.ts';
import { REDIRECT_OPTIONS, type RedirectOptions } from '../redirects/redirect-options.ts';

export interface IntegrationOptions {
  /**
   * How often `astro dev` checks for changes, or `false` for never.
   * Default `'10s'`; never if the environment variable CI is set.
   */
  readonly poll?: Duration | false | undefined;
  /**
   * The secret for `POST /_luid/refresh` of the dev server and, with `revalidate` or `preview`, of the built server.
   * Default: LUID_REFRESH_SECRET, which a built server reads when it runs. Without one, no endpoint.
   */
  readonly refreshSecret?: string | undefined;
  /** The name of a header with that secret, besides `x-luid-secret`: webhooks may send it in one of their own. */
  readonly refreshHeader?: string | undefined;
  /**
   * Where an entry is edited, for the toolbar: a URL with `{model}` and `{id}` in it, or a function.
   * A page names its entry with `<meta name="luid-entry" content="article:101">`.
   */
  readonly editUrl?: EditUrl | undefined;
  /**
   * Let the CDN resize images of the space in Astro's image components, and sharp all others.
   * Default: `true`, unless the site or its adapter has set another image service than Astro's own.
   */
  readonly images?: boolean | undefined;
  /**
   * Revalidate cached pages when live content from a replica changes, and show one version of it in each request.
   * Needs an adapter. Default: `false`.
   */
  readonly revalidate?: boolean | undefined;
  /**
   * Show drafts to those who know a secret. Needs an adapter. `true`: the secret is LUID_PREVIEW_SECRET, which a built
   * server reads when it runs.
   */
  readonly preview?: boolean | PreviewOptions | undefined;
  /** What `luid lint` and the toolbar find in the content. Default: everything. */
  readonly lint?: LintOptions | undefined;
  /** Redirect the former URLs of content whose slug has changed: `{ route: '/articles/[id]', keep: '1y' }`. */
  readonly redirects?: RedirectOptions | readonly RedirectOptions[] | undefined;
}

/** `luid(space, { preview: { … } })` */
export interface PreviewOptions {
  /** The secret of `/_luid/preview?secret=…`. Default: LUID_PREVIEW_SECRET. Without one, no preview. */
  readonly secret?: string | undefined;
  /** How long a preview lasts, at most `'400d'`. Default `'8h'`. */
  readonly maxAge?: Duration | undefined;
  /**
   * More prerendered pages that have a preview: their patterns, and their files from the root of the site, such as
   * `{ '/articles/[id]': 'src/pages/articles/[id].astro' }`. Pages that call `getPreviewEntry` have one without it.
   */
  readonly routes?: Readonly<Record<string, string>> | undefined;
  /** Add the bar to pages in preview that do not render `<PreviewBar />`. Default: `true`. */
  readonly bar?: boolean | undefined;
}

/** Browsers keep cookies for 400 days at most. */
const MAX_COOKIE_AGE = 400 * 86_400_000;

function isCookieAge(time: number): boolean {
  return time >= 1000 && time <= MAX_COOKIE_AGE;
}

const PREVIEW_OPTIONS = {
  secret,
  maxAge: {
    expected: "a duration from one second to 400 days, such as '8h'",
    accepts: (value) => duration.accepts(value) && isCookieAge(milliseconds(value as Duration, 'maxAge')),
  },
  bar: boolean,
  routes: {
    expected: 'an object of patterns and files',
    accepts: (value) => isRecord(value) && Object.values(value).every((file) => typeof file === 'string'),
  },
} satisfies Record<keyof PreviewOptions, OptionRule>;

const OPTIONS = {
  poll: either(duration, literal(false)),
  refreshSecret: secret,
  refreshHeader: headerName,
  editUrl: either(string, callback),
  images: boolean,
  revalidate: boolean,
  preview: either(boolean, object(PREVIEW_OPTIONS)),
  lint: LINT_OPTIONS,
  redirects: REDIRECT_OPTIONS,
} satisfies Record<keyof IntegrationOptions, OptionRule>;

/** Throws for options of the integration that cannot work. */
export function checkIntegrationOptions(options: IntegrationOptions): void {
  checkOptions('luid', options, OPTIONS);
  const { refreshSecret, preview } = options;
  checkSecretLength('luid: refreshSecret', refreshSecret);
  if (typeof preview === 'object') checkSecretLength('luid: preview.secret', preview.secret);
}

const DEFAULT_POLL = '10s';

/** Milliseconds between two checks for changes, or `false` for none. */
export function pollInterval(poll: IntegrationOptions['poll']): number | false {
  if (poll === false || (poll === undefined && process.env.CI)) return false;
  const time = milliseconds(poll ?? DEFAULT_POLL, 'poll');
  if (time >= 1000 && time <= LONGEST_TIMER) return time;
  throw new LuidConfigError(`luid: poll must be from one second to 24 days, got ${showValue(poll)}`, {
    hint: "Pass milliseconds, a string such as '30s' or '5min', or false.",
  });
}

/** The options of `luid()` in `astro.config`, with the space that was passed to it, for the commands. */
export interface PassedOptions {
  readonly space: ConnectedSpace | undefined;
  readonly options: IntegrationOptions;
}

// Commands may have another copy of this package than the site.
export const PASSED_OPTIONS: unique symbol = Symbol.for('astro-luid.options') as never;
