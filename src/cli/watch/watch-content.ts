import { digestOfViews } from '../../astro/dev/dev-heads.ts';
import { type CopiedSpace, wholeReadEvery } from '../../space/replica-options.ts';
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
  space: CopiedSpace,
  { cache, drafts, warn }: WatchedContent,
): Promise<Pick<WatcherOptions, 'look' | 'read' | 'auditEvery' | 'auditedAt'>> {
  const langs = [undefined, ...subLanguages(space)];
  const views = langs.map((lang) => ({ drafts, lang }));
  const { storage } = cache;
  const reads = await Promise.all(langs.map((lang) => oldestRead(space, { storage, drafts, lang })));
  const logger = { info: () => {}, warn: once(warn) };
  let last = { versions: '', digest: '' };
  return {
    look: () => digestOfViews(space, {}, views),
    async read(audit) {
      const synced = await syncSpace(space, { cache, drafts, audit, logger: () => logger });
      const versions = synced.map(({ replica }) => replica.fingerprint).join(' ');
      if (versions !== last.versions) {
        last = { versions, digest: await contentDigest(space.models, synced) };
      }
      return last.digest;
    },
    auditEvery: wholeReadEvery(space, drafts),
    auditedAt: Math.min(...reads.map((time) => time ?? Number.NEGATIVE_INFINITY)),
  };
}

/** What each of many reads has to say is said once. */
function once(say: (message: string) => void): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    said.add(message);
    say(message);
  };
}
