import type { LoaderContext } from 'astro/loaders';
import type { ReferencedCollection } from '../../entries/collection.ts';
import type { ResolverOf } from '../../entries/resolvers.ts';
import { openSanitizer, type Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { itemHash } from '../../replica/store/segments/item-facts.ts';
import { openStorage } from '../../replica/store/storage.ts';
import { cacheDirOf } from '../../space/shared-sync.ts';
import type { RunningSpace } from '../../space/space.ts';
import { type CollectionImages, openCollectionImages } from '../collection/make/collection-images.ts';
import { dataFingerprint } from '../collection/make/data-fingerprint.ts';
import { requestedFacts } from '../collection/make/requested-facts.ts';
import type { CollectionSettings } from '../collection/options/loader-options.ts';
import type { Collection } from '../collection/view/collection.ts';
import { collectionsWithIds, referencesOf } from './collection-rules.ts';

/** A collection of a build, and everything that its entries are made with. */
export interface BuildCollection extends Collection {
  readonly name: string;
  readonly space: RunningSpace;
  readonly context: LoaderContext;
  readonly images: CollectionImages | undefined;
  readonly sanitizer: Sanitizer | undefined;
  /** Without the facts about images, which do not decide whether items are valid. */
  readonly resolvers: () => Promise<ResolverOf>;
  /** Whether an `id` function takes part: what it returns may depend on anything. */
  readonly hasIdFunction: boolean;
  /** Equal as long as equal items become equal data. */
  readonly dataFingerprint: string;
  /** Equal as long as equal content becomes equal entries. */
  readonly fingerprint: string;
}

/** To be called when all collections of the space are known. */
export async function openBuildCollection(
  space: RunningSpace,
  settings: CollectionSettings,
  context: LoaderContext,
): Promise<BuildCollection> {
  const { collection: name, generateDigest, logger } = context;
  const { languages, onInvalid } = space.settings;
  const { cache = {} } = space.settings;
  const storage = cache === false ? undefined : openStorage(cache, cacheDirOf(context));
  const facts = requestedFacts(space, settings.drafts, storage, logger);
  const images = await openCollectionImages(space, settings, facts, logger);
  const sanitizer = await openSanitizer(space.models);
  const data = dataFingerprint(space, settings, images, sanitizer);
  const withIds = collectionsWithIds(space, settings);
  const rules = withIds.map(({ fingerprint }) => fingerprint);
  let resolvers: Promise<ResolverOf> | undefined;
  const openResolvers = () => {
    const hashes = { hash: generateDigest, hashItem: itemHash };
    resolvers ??= import('../collection/make/entry-maker.ts').then(({ entryResolvers }) =>
      entryResolvers(space, { ...hashes, sanitizer, images: undefined }),
    );
    return resolvers;
  };
  let references: ReadonlyMap<string, ReferencedCollection> | undefined;
  return {
    name,
    space,
    settings,
    context,
    usesColumns: false,
    references() {
      references ??= referencesOf(space, settings, name);
      return references;
    },
    resolvers: openResolvers,
    async findInvalid() {
      if (onInvalid !== 'skip') return undefined;
      const { findInvalidWith } = await import('../../entries/resolvers.ts');
      return findInvalidWith(await openResolvers());
    },
    images,
    sanitizer,
    hasIdFunction: withIds.some(({ rule }) => typeof rule.id === 'function'),
    dataFingerprint: data,
    fingerprint: generateDigest(`${JSON.stringify(languages)} ${onInvalid} ${data} ${rules.join(' ')}`),
  };
}
