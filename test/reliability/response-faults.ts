import type { Fault } from './fault.ts';
import * as handlers from './fault-handlers.ts';
import type { FaultHandler } from './faulty-proxy.ts';

const ATTEMPTS = 6;
const ATTEMPTS_AFTER_PAUSES = 11;

/** A fault that the client detects in one response, and retries. */
const retryable = (name: string, handler: FaultHandler, expectedLog: RegExp): Fault => ({
  name,
  cases: (runner) => runner.retryable(name, handler, { attempts: ATTEMPTS, expectedLog }),
});

/** §7, §8: all requests of the client must pause. */
const tooMany = (name: string, handler: FaultHandler, pause: number): Fault => ({
  name,
  cases: (runner) =>
    runner.retryable(name, handler, { attempts: ATTEMPTS_AFTER_PAUSES, expectedLog: /429 .*→/s, pause }),
});

/** A fault that cannot be detected in one response alone. */
const undetectable = (name: string, handler: () => FaultHandler): Fault => ({
  name,
  cases: (runner) => runner.undetectable(name, handler()),
});

/** Everything that may happen to single responses. */
export const RESPONSE_FAULTS: readonly Fault[] = [
  tooMany('429 without retry-after', handlers.tooMany.silent, 1000),
  tooMany('429, retry-after in seconds', handlers.tooMany.seconds, handlers.SECONDS * 1000),
  // A date has no fractions of a second.
  tooMany('429, retry-after as a date', handlers.tooMany.date, handlers.SECONDS * 1000 - 999),
  tooMany('429, retry-after absurd', handlers.tooMany.absurd, 1000),
  retryable('500, 502 to 504', handlers.serverError, /: 50\d .*→/s),
  retryable('reset before headers', handlers.reset, /no response\n {2}→/),
  retryable('reset mid-body', handlers.cut, /the response was cut off\n {2}→/),
  retryable('stall', handlers.stall, /no response within [\d.]+ s\n {2}→/),
  retryable('slow drip', handlers.drip, /the response did not end within [\d.]+ s\n {2}→/),
  retryable('truncated JSON', handlers.truncate, /the response is not valid JSON\n {2}→/),
  retryable('HTML with 200', handlers.html, /the response is not valid JSON\n {2}→/),
  retryable('empty 200', handlers.empty, /the response is empty\n {2}→/),
  undetectable('wrong total: too large', () => handlers.totalOff(7)),
  undetectable('wrong total: too small', () => handlers.totalOff(-3)),
  retryable(
    'short page',
    handlers.shortPage,
    /the page has \d+ items instead of \d+, with a total of \d+\n {2}→/,
  ),
  undetectable('duplicate in a page', () => handlers.twiceInPage),
  undetectable('duplicate of another page', handlers.twiceInList),
];
