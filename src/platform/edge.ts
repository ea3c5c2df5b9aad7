import type { openHost as openNodeHost } from '../astro/live/check/node-host.ts';
import type { KeyedEntry } from '../entries/keys/collection-key.ts';

// What bundles for edge servers contain instead of modules that need Node: as in browsers, but with what a server of Astro
// offers, and with a storage in place of a disk.

export { default, draftFingerprint, load } from './browser.ts';

export const openHost: typeof openNodeHost = async (...options) => {
  const storageHost = await import('../astro/live/check/storage-host.ts');
  return storageHost.openHost(...options);
};

export async function entriesOf(collection: string): Promise<readonly KeyedEntry[]> {
  const entries = await import('../astro/entries-of.ts');
  return entries.entriesOf(collection);
}

export async function findSecret(name: string): Promise<string | undefined> {
  const secrets = await import('../space/secrets.ts');
  return secrets.findSecret(name);
}
