import type { openHost as openNodeHost } from '../astro/live/check/node-host.ts';

// What bundles for edge servers contain instead of modules that need Node: as in browsers, but with what a server of Astro
// offers, and with a storage in place of a disk.

export { default, draftFingerprint, load } from './browser.ts';

export const openHost: typeof openNodeHost = async (...options) => {
  const storageHost = await import('../astro/live/check/storage-host.ts');
  return storageHost.openHost(...options);
};
