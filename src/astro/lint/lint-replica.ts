import type { Finding } from '../../entries/lint/finding.ts';
import { lint } from '../../entries/lint/lint.ts';
import { lintedItem } from '../../entries/lint/linted-item.ts';
import type { LintedLanguage, LintedSite, SpaceContent } from '../../entries/lint/rule.ts';
import { ImageMeasurer } from '../../images/dimensions/image-measurer.ts';
import { knownDimensions } from '../../images/dimensions/known-dimensions.ts';
import { parseMediaUrl } from '../../images/media-url.ts';
import type { Content } from '../../replica/content/content.ts';
import { openReplica } from '../../replica/open-replica.ts';
import type { Replica } from '../../replica/replica.ts';
import { openStorage } from '../../replica/store/storage.ts';
import { LuidError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { replicaOptions, type SyncedSpace } from '../../space/replica-options.ts';
import { findAssetsUrl } from '../../space/space-options.ts';
import type { LintOptions } from './lint-options.ts';

const SILENT: Logger = { info: () => {}, warn: () => {} };

/** The content as the last build or sync has stored it, in the languages that are in the cache. Nothing is requested. */
export async function openStoredContent(
  space: SyncedSpace,
  cacheDir: string,
  drafts: boolean,
): Promise<Content> {
  const open = async (lang: string | undefined) => {
    const context = { cacheDir, main: undefined, logger: SILENT };
    return openReplica({ ...(await replicaOptions(space, { drafts, lang }, context)), offline: true });
  };
  const main = await open(undefined).catch((cause) => {
    throw LuidError.is(cause) && /cache does not contain/.test(cause.message) ? notInCache(cause) : cause;
  });
  const sub = new Map<string, Replica>();
  for (const lang of space.settings.languages?.sub ?? []) {
    const replica = await open(lang).catch(() => undefined);
    if (replica) sub.set(lang, replica);
  }
  return { main, sub };
}

const notInCache = (cause: unknown) =>
  new LuidError('The cache does not contain the content of all models', {
    hint: 'Run `npx luid sync` first, with the same --cache-dir, and do not set `cache` to `false`.',
    cause,
  });

/** What is wrong with stored content, in all of its languages. */
export async function lintStoredContent(
  space: SyncedSpace,
  { main, sub }: Content,
  site: LintedSite,
  { rules }: LintOptions,
  cacheDir: string,
): Promise<Finding[]> {
  const read = async (replica: Replica, lang: string | undefined): Promise<LintedLanguage> => {
    // As they are stored: a reference to content that was removed since is what a rule looks for.
    const items = [...(await replica.readAll()).values()];
    return { lang, items: new Map(items.map((item) => [item._id, lintedItem(space.models, item, lang)])) };
  };
  const content = {
    models: space.models,
    main: await read(main, space.settings.languages?.main),
    sub: await Promise.all([...sub].map(([lang, replica]) => read(replica, lang))),
    site,
    dimensionsOf: await openDimensions(space, cacheDir),
  };
  return lint(content, rules);
}

async function openDimensions(space: SyncedSpace, cacheDir: string): Promise<SpaceContent['dimensionsOf']> {
  const { cache = {} } = space.settings;
  const assetsUrl = await findAssetsUrl(space.settings);
  if (!assetsUrl || cache === false) return () => undefined;
  const storage = openStorage(cache, cacheDir);
  await new ImageMeasurer({ connect: space.connect(), assetsUrl, storage, offline: true }).load(SILENT);
  const known = knownDimensions();
  return (url) => known.get(parseMediaUrl(url, { assetsUrl })?.src ?? '');
}
