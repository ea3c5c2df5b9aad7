import { LuidConfigError } from '../errors.ts';

// Takes the place of what browsers and edge servers cannot run, in bundles for them: see `imports` in package.json.

/** Instead of load.ts. */
export function load(): never {
  throw notHere('A build-time loader');
}

/** Instead of integration.ts. */
export default function luid(): never {
  throw notHere('The integration');
}

/** Instead of secrets.ts: browsers have none. */
export async function findSecret(): Promise<undefined> {}

function notHere(what: string): LuidConfigError {
  return new LuidConfigError(`${what} runs in Node only, and this is a bundle for another runtime`, {
    hint: 'Read content at request time with space.liveLoader() or space.client().',
  });
}
