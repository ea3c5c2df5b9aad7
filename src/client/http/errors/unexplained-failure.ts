// Replaces explain-failure.ts, which is for developers and a tenth of the client, in bundles for production in browsers
// and on edge servers: see `#explain-failure` in package.json.

export function describeNetworkError(_error: unknown, responseStarted: boolean) {
  return { message: responseStarted ? 'the response was cut off' : 'no response' };
}

/** Only Node reports why a connection was not made. */
export const isNeverSent = () => false;

export function hintForStatus(): void {}
export const NOT_THE_SERVICE = undefined;
