import { join } from 'node:path';
import xxhash from 'xxhash-wasm';
import { neverBack } from '../../../client/http/clock.ts';
import { openReplica } from '../../../replica/open-replica.ts';
import type { Replica } from '../../../replica/replica.ts';
import { resilientStorage } from '../../../replica/store/resilient-storage.ts';
import { itemHash } from '../../../replica/store/segments/item-facts.ts';
import { openStorage } from '../../../replica/store/storage.ts';
import type { Logger } from '../../../shared/logger.ts';
import { replicaOptions } from '../../../space/replica-options.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { openCollectionImages } from '../../collection/make/collection-images.ts';
import { requestedFacts } from '../../collection/make/requested-facts.ts';
import type { LiveHost } from './live-host.ts';

/** A server on Node, which syncs the replica itself. */
export async function openHost(space: RunningSpace, drafts: boolean, logger: Logger): Promise<LiveHost> {
  const { cache = {} } = space.settings;
  const options = cache === false ? {} : cache;
  const cacheDir = options.dir ?? join(process.cwd(), 'node_modules/.astro/astro-luid');
  const imageStorage = cache === false ? undefined : openStorage(options, cacheDir);
  const { storage, keepSegments } = resilientStorage(openStorage(options, cacheDir));
  const { baseUrl, apiKey, clock } = await space.connect({ drafts, onRequest: true })();
  const { h64ToString } = await xxhash();
  // Each check would log a line. Problems are errors, or warnings of the content.
  const quiet: Logger = { info() {}, warn: (message) => logger.warn(message) };

  const syncOne = async (
    lang: string | undefined,
    main: Replica | undefined,
    current: Replica | undefined,
    bypassCdn: boolean,
  ): Promise<Replica> => {
    const view = await replicaOptions(space, { drafts, lang }, { cacheDir, main, logger: quiet });
    const replica = await openReplica({
      ...view,
      cache: { storage },
      staleFor: undefined,
      onUnavailable: undefined,
      fewRequests: true,
      bypassCdn,
      keepsItems: false,
      known: current?.allSegments(),
    });
    return replica.readAll();
  };
  return {
    storage,
    isShared: options.storage !== undefined,
    baseUrl,
    apiKey,
    now: neverBack(() => clock.now()),
    digest: h64ToString,
    hashItem: itemHash,
    async sync(langs, current, { isAfterEvent = false }) {
      const main = await syncOne(undefined, undefined, current?.main, isAfterEvent);
      const subs = await Promise.all(
        langs.map(
          async (lang) => [lang, await syncOne(lang, main, current?.sub.get(lang), isAfterEvent)] as const,
        ),
      );
      return { main, sub: new Map(subs) };
    },
    openImages: (settings) =>
      openCollectionImages(space, settings, requestedFacts(space, drafts, imageStorage, logger), logger),
    schedule(callback, milliseconds) {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    keepSegments,
  };
}
