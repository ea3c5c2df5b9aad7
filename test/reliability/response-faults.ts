import type { Fault } from './fault.ts';
import * as handlers from './fault-handlers.ts';
import type { FaultHandler } from './faulty-proxy.ts';

const ATTEMPTS = 6;
const ATTEMPTS_AFTER_PAUSES = 11;

/** What may happen to a single response. */
export interface ResponseFault {
  readonly name: string;
  readonly handler: () => FaultHandler;
  /** How the client reports it if it happens to every response; without, one response does not show it. */
  readonly expectedLog?: RegExp;
  /** §7, §8: milliseconds that all requests of the client must pause. */
  readonly pause?: number;
}

const tooMany = (name: string, handler: FaultHandler, pause: number): ResponseFault => ({
  name,
  handler: () => handler,
  expectedLog: /429 .*→/s,
  pause,
});

const detectable = (name: string, handler: FaultHandler, expectedLog: RegExp): ResponseFault => ({
  name,
  handler: () => handler,
  expectedLog,
});

/** Everything that may happen to single responses. */
export const RESPONSE_FAULTS: readonly ResponseFault[] = [
  tooMany('429 without retry-after', handlers.tooMany.silent, 1000),
  tooMany('429, retry-after in seconds', handlers.tooMany.seconds, handlers.SECONDS * 1000),
  // A date has no fractions of a second.
  tooMany('429, retry-after as a date', handlers.tooMany.date, handlers.SECONDS * 1000 - 999),
  tooMany('429, retry-after absurd', handlers.tooMany.absurd, 1000),
  detectable('500, 502 to 504', handlers.serverError, /: 50\d .*→/s),
  detectable('reset before headers', handlers.reset, /no response\n {2}→/),
  detectable('reset mid-body', handlers.cut, /the response was cut off\n {2}→/),
  detectable('stall', handlers.stall, /no response within [\d.]+ s\n {2}→/),
  detectable('slow drip', handlers.drip, /the response did not end within [\d.]+ s\n {2}→/),
  detectable('truncated JSON', handlers.truncate, /the response is not valid JSON\n {2}→/),
  detectable('HTML with 200', handlers.html, /the response is not valid JSON\n {2}→/),
  detectable('empty 200', handlers.empty, /the response is empty\n {2}→/),
  { name: 'wrong total: too large', handler: () => handlers.totalOff(7) },
  { name: 'wrong total: too small', handler: () => handlers.totalOff(-3) },
  detectable(
    'short page',
    handlers.shortPage,
    /the page has \d+ items instead of \d+, with a total of \d+\n {2}→/,
  ),
  { name: 'duplicate in a page', handler: () => handlers.twiceInPage },
  { name: 'duplicate of another page', handler: () => handlers.twiceInList() },
];

/** What they do to builds. */
export const RESPONSE_FAULTS_OF_BUILDS: readonly Fault[] = RESPONSE_FAULTS.map(
  ({ name, handler, expectedLog, pause }) => ({
    name,
    cases: (runner) => {
      if (!expectedLog) return runner.undetectable(name, handler());
      const attempts = pause === undefined ? ATTEMPTS : ATTEMPTS_AFTER_PAUSES;
      return runner.retryable(name, handler(), { attempts, expectedLog, pause });
    },
  }),
);
