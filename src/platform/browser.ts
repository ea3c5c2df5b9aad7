import { LuidConfigError } from '../shared/errors.ts';

// What bundles for browsers contain instead of modules that need Node or a server of Astro: see `#platform/*` in
// package.json, and REPLACED in scripts/build.mjs.

/** Replaces astro/loader/load.ts. */
export function load(): never {
  throw nodeOnlyError('A build-time loader');
}

/** Replaces astro/integration/integration.ts. */
export default function luid(): never {
  throw nodeOnlyError('The integration');
}

/** Replaces astro/live/check/node-host.ts. */
export function openHost(): never {
  throw nodeOnlyError('A live loader');
}

/** Replaces astro/preview/draft-fingerprint.ts: previews show drafts, and receive no events when these change. */
export const draftFingerprint = undefined;

function nodeOnlyError(what: string): LuidConfigError {
  return new LuidConfigError(`${what} runs in Node only, and this is a bundle for another runtime`, {
    hint: "Read content at request time with space.client(), or with from: 'service' in space.liveLoader().",
  });
}
