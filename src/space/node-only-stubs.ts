import { LuidConfigError } from '../errors.ts';

// Replaces modules that run in Node only, in bundles for browsers and edge servers: see `imports` in package.json.

/** Replaces astro/loader/load.ts. */
export function load(): never {
  throw nodeOnlyError('A build-time loader');
}

/** Replaces astro/integration/integration.ts. */
export default function luid(): never {
  throw nodeOnlyError('The integration');
}

/** Replaces astro/live/from-replica/node-host.ts in browsers. */
export function openHost(): never {
  throw nodeOnlyError('A live loader');
}

/** Replaces astro/preview/draft-fingerprint.ts: previews show drafts, and are not told when these change. */
export const draftFingerprint = undefined;

/** Replaces astro/entries-of.ts in browsers. */
export function entriesOf(): never {
  throw nodeOnlyError('collectionKey with the name of a collection');
}

/** Replaces secrets.ts in browsers. */
export async function findSecret(): Promise<undefined> {}

function nodeOnlyError(what: string): LuidConfigError {
  return new LuidConfigError(`${what} runs in Node only, and this is a bundle for another runtime`, {
    hint: 'Read content at request time with space.liveLoader() or space.client().',
  });
}
