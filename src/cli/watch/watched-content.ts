import { createOnce } from '../../shared/logger.ts';
import { headsFingerprint } from '../../space/heads-fingerprint.ts';
import { fullSyncInterval, type SyncedSpace } from '../../space/replica-options.ts';
import { oldestFullRead } from '../shared/cache-stats.ts';
import type { Cache } from '../shared/open-cache.ts';
import { subLanguages, syncSpace } from '../shared/sync-space.ts';
import { contentFingerprint } from './content-fingerprint.ts';
import type { WatcherOptions } from './watcher.ts';

export interface WatchedContentOptions {
  readonly cache: Cache;
  readonly drafts: boolean;
  readonly warn: (message: string) => void;
}

/** Checks and reads the content in all languages, with the cache that builds use. */
export async function openWatchedContent(
  space: SyncedSpace,
  { cache, drafts, warn }: WatchedContentOptions,
): Promise<Pick<WatcherOptions, 'readHeads' | 'readContent' | 'fullReadEvery' | 'lastFullRead'>> {
  const langs = [undefined, ...subLanguages(space)];
  const { storage } = cache;
  const lastFullReads = await Promise.all(
    langs.map((lang) => oldestFullRead(space, { storage, drafts, lang })),
  );
  // Each of many syncs would repeat its warnings.
  const once = createOnce();
  const logger = { info: () => {}, warn: (message: string) => once(message, () => warn(message)) };
  let last = { replicas: '', fingerprint: '' };
  return {
    async readHeads() {
      const connect = space.connect({ drafts });
      const heads = await Promise.all(langs.map((lang) => headsFingerprint(space, connect, lang)));
      return heads.join(' ');
    },
    async readContent(forceFullSync, { bypassCdn } = {}) {
      const synced = await syncSpace(space, {
        cache,
        drafts,
        forceFullSync,
        bypassCdn,
        logger: () => logger,
      });
      const replicas = synced.map(({ replica }) => replica.fingerprint).join(' ');
      if (replicas !== last.replicas) {
        last = { replicas, fingerprint: await contentFingerprint(space.models, synced) };
      }
      return last.fingerprint;
    },
    fullReadEvery: fullSyncInterval(space, drafts),
    lastFullRead: Math.min(...lastFullReads.map((time) => time ?? Number.NEGATIVE_INFINITY)),
  };
}
