import { createOnce } from '../../once.ts';
import { headsFingerprint } from '../../space/heads-fingerprint.ts';
import { fullSyncInterval, type SyncedSpace } from '../../space/replica-options.ts';
import type { Cache } from '../shared/cache.ts';
import { oldestRead } from '../shared/cache-stats.ts';
import { subLanguages, syncSpace } from '../shared/sync-space.ts';
import { contentDigest } from './content-digest.ts';
import type { WatcherOptions } from './watcher.ts';

export interface WatchedContent {
  readonly cache: Cache;
  readonly drafts: boolean;
  readonly warn: (message: string) => void;
}

/** How content is looked at and read, in all languages, from the cache that builds use. */
export async function watchedContent(
  space: SyncedSpace,
  { cache, drafts, warn }: WatchedContent,
): Promise<Pick<WatcherOptions, 'look' | 'read' | 'auditEvery' | 'auditedAt'>> {
  const langs = [undefined, ...subLanguages(space)];
  const views = langs.map((lang) => ({ drafts, lang }));
  const { storage } = cache;
  const reads = await Promise.all(langs.map((lang) => oldestRead(space, { storage, drafts, lang })));
  // Each of many syncs would repeat its warnings.
  const once = createOnce();
  const logger = { info: () => {}, warn: (message: string) => once(message, () => warn(message)) };
  let last = { versions: '', digest: '' };
  return {
    look: () => headsFingerprint(space, {}, views),
    async read(audit) {
      const synced = await syncSpace(space, { cache, drafts, audit, logger: () => logger });
      const versions = synced.map(({ replica }) => replica.version).join(' ');
      if (versions !== last.versions) {
        last = { versions, digest: await contentDigest(space.models, synced) };
      }
      return last.digest;
    },
    auditEvery: fullSyncInterval(space, drafts),
    auditedAt: Math.min(...reads.map((time) => time ?? Number.NEGATIVE_INFINITY)),
  };
}
