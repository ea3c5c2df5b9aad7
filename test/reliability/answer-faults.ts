import type { Fault } from './fault.ts';
import type { Spoil } from './proxy.ts';
import * as spoils from './spoils.ts';

const ATTEMPTS = 6;
const ATTEMPTS_AFTER_PAUSES = 11;

/** What a client can see by itself, and asks for again. */
const passing = (name: string, spoil: Spoil, says: RegExp): Fault => ({
  name,
  cases: (lab) => lab.passing(name, spoil, { attempts: ATTEMPTS, says }),
});

/** §7, §8: the client is told to stay away, which holds for all that it does. */
const tooMany = (name: string, spoil: Spoil, pause: number): Fault => ({
  name,
  cases: (lab) => lab.passing(name, spoil, { attempts: ATTEMPTS_AFTER_PAUSES, says: /429 .*→/s, pause }),
});

/** What no client can see in one answer alone. */
const lying = (name: string, spoil: () => Spoil): Fault => ({
  name,
  cases: (lab) => lab.lying(name, spoil()),
});

/** Everything that may happen to single answers. */
export const ANSWER_FAULTS: readonly Fault[] = [
  tooMany('429 without retry-after', spoils.tooMany.silent, 1000),
  tooMany('429, retry-after in seconds', spoils.tooMany.seconds, spoils.SECONDS * 1000),
  // A date has no parts of seconds.
  tooMany('429, retry-after as a date', spoils.tooMany.date, spoils.SECONDS * 1000 - 999),
  tooMany('429, retry-after absurd', spoils.tooMany.absurd, 1000),
  passing('500, 502 to 504', spoils.serverError, /: 50\d .*→/s),
  passing('reset before headers', spoils.reset, /no response\n {2}→/),
  passing('reset mid-body', spoils.cut, /the response was cut off\n {2}→/),
  passing('stall', spoils.stall, /no response within [\d.]+ s\n {2}→/),
  passing('slow drip', spoils.drip, /the response did not end within [\d.]+ s\n {2}→/),
  passing('truncated JSON', spoils.truncate, /the response is not valid JSON\n {2}→/),
  passing('HTML with 200', spoils.html, /the response is not valid JSON\n {2}→/),
  passing('empty 200', spoils.empty, /the response is empty\n {2}→/),
  lying('wrong total: too large', () => spoils.totalOff(7)),
  lying('wrong total: too small', () => spoils.totalOff(-3)),
  passing(
    'short page',
    spoils.shortPage,
    /the page has \d+ items instead of \d+, with a total of \d+\n {2}→/,
  ),
  lying('duplicate in a page', () => spoils.twiceInPage),
  lying('duplicate of another page', spoils.twiceInList),
];
