import { join } from 'node:path';
import xxhash from 'xxhash-wasm';
import { neverBack } from '../../../client/http/clock.ts';
import type { Logger } from '../../../logger.ts';
import { openReplica, type Replica } from '../../../replica/replica.ts';
import { itemHash } from '../../../replica/store/item-facts.ts';
import { replicaFingerprint } from '../../../replica/store/replica-fingerprint.ts';
import { resilientStorage } from '../../../replica/store/resilient-storage.ts';
import { openStorage } from '../../../replica/store/storage.ts';
import { replicaOptions } from '../../../space/replica-options.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { openCollectionImages } from '../../loader/collection-images.ts';
import type { LiveHost } from './live-host.ts';

/** A server on Node, which syncs the replica itself. */
export async function openHost(space: RunningSpace, drafts: boolean, logger: Logger): Promise<LiveHost> {
  const { cache = {} } = space.settings;
  const options = cache === false ? {} : cache;
  const cacheDir = options.dir ?? join(process.cwd(), 'node_modules/.astro/astro-luid');
  const { storage, keepSegments } = resilientStorage(openStorage(options, cacheDir));
  const { baseUrl, apiKey, clock } = await space.connect({ drafts, onRequest: true })();
  const { h64ToString } = await xxhash();
  // Each check would log a line. Problems are errors, or warnings of the content.
  const quiet: Logger = { info() {}, warn: (message) => logger.warn(message) };

  const syncOne = async (lang: string | undefined, main: Replica | undefined): Promise<Replica> => {
    const view = await replicaOptions(space, { drafts, lang }, { cacheDir, main, logger: quiet });
    return openReplica({
      ...view,
      cache: { storage },
      staleFor: undefined,
      onUnavailable: undefined,
      fewRequests: true,
    });
  };
  return {
    storage,
    isShared: options.storage !== undefined,
    baseUrl,
    apiKey,
    now: neverBack(() => clock.now()),
    logger,
    digest: h64ToString,
    hashItem: itemHash,
    async sync(langs, { isRepair = false } = {}) {
      const main = await syncOne(undefined, undefined);
      const subs = await Promise.all(langs.map((lang) => syncOne(lang, main)));
      // Damage shows when items are read.
      if (isRepair) for (const replica of [main, ...subs]) await replica.unresolvedItems();
      const synced = [main, ...subs].map(({ fingerprint }) => fingerprint);
      return (version) =>
        [version.main, ...langs.map((lang) => version.sub.get(lang))].every(
          (replica, index) => replica && replicaFingerprint(space.models, replica.manifest) === synced[index],
        );
    },
    openImages: (plan) => openCollectionImages(space, plan, { cacheDir, logger }),
    schedule(callback, milliseconds) {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    keepSegments,
  };
}
