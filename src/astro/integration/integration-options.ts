import { LuidConfigError } from '../../errors.ts';
import {
  boolean,
  callback,
  checkOptions,
  either,
  literal,
  type OptionRule,
  secret,
  showValue,
  string,
} from '../../options.ts';
import { type Duration, duration, milliseconds } from '../../space/duration.ts';
import type { EditUrl } from '../dev/toolbar.ts';

export interface IntegrationOptions {
  /**
   * How often `astro dev` looks for changes: seconds, a text such as `30s`, or `false` for never.
   * Default 10, and never where the variable CI is set.
   */
  readonly poll?: number | Extract<Duration, string> | false | undefined;
  /** What `POST /_luid/refresh` of the dev server asks for. Default: LUID_REFRESH_SECRET; none, no endpoint. */
  readonly refreshSecret?: string | undefined;
  /**
   * Where an entry is edited, for the toolbar: an address with `{model}` and `{id}` in it, or a function.
   * A page names its entry by `<meta name="luid-entry" content="article:101">`.
   */
  readonly editUrl?: EditUrl | undefined;
  /**
   * Let the CDN resize the space's pictures in Astro's image components, and sharp all others.
   * Default: unless the site or its adapter has chosen another image service than Astro's own.
   */
  readonly images?: boolean | undefined;
}

const OPTIONS = {
  poll: either({ ...duration, expected: "seconds, a string such as '30s' or '5min'" }, literal(false)),
  refreshSecret: secret,
  editUrl: either(string, callback),
  images: boolean,
} satisfies Record<keyof IntegrationOptions, OptionRule>;

/** Refuses options of the integration that cannot work. */
export function checkIntegrationOptions(options: IntegrationOptions): void {
  checkOptions('luid', options, OPTIONS);
}

const DEFAULT_POLL = 10;
/** Node's timers end at once if they are set to more. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds between two looks for changes, or `false` for none. */
export function pollInterval(poll: IntegrationOptions['poll']): number | false {
  if (poll === false || (poll === undefined && process.env.CI)) return false;
  const value = poll ?? DEFAULT_POLL;
  const time = typeof value === 'string' ? milliseconds(value, 'poll') : value * 1000;
  if (time >= 1000 && time <= LONGEST_TIMER) return time;
  throw new LuidConfigError(`luid: poll must be from one second to 24 days, got ${showValue(poll)}`, {
    hint: "Pass seconds, a string such as '30s' or '5min', or false.",
  });
}
