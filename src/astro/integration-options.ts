import { LuidConfigError } from '../errors.ts';
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
} from '../options.ts';
import type { IntegrationOptions } from './integration.ts';
import { duration, milliseconds } from './settings.ts';

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
