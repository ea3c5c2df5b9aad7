import type { FindInvalid } from '../../../entries/entry-shape.ts';
import { findInvalidWith } from '../../../entries/resolvers.ts';
import { openSanitizer, type Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import { type ReferenceField, targetsOf } from '../../../models/field-types/reference.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { CollectionImages } from '../../collection/make/collection-images.ts';
import { dataFingerprint } from '../../collection/make/data-fingerprint.ts';
import { EntryMaker, entryResolvers } from '../../collection/make/entry-maker.ts';
import type { CollectionSettings } from '../../collection/options/loader-options.ts';
import { cacheItems } from '../../collection/view/cache-items.ts';
import { checkTargetLanguage } from '../../loader/collection-rules.ts';
import type { LiveReplica } from '../check/live-replica.ts';
import { RegisteredQueries } from '../tags/registered-queries.ts';
import { findReferenced, referenceError } from './find-referenced.ts';
import type { CollectionIdentity, ServedCollection } from './served-collection.ts';
import { collectionsOf } from './shared-live-replica.ts';

/** A live collection. What its entries are made with is opened when it is first used. */
export function openServedCollection(
  space: RunningSpace,
  settings: CollectionSettings,
  replica: LiveReplica,
  identity: CollectionIdentity,
): ServedCollection {
  const { models } = space;
  const tagName = `${settings.model} ${settings.fingerprint}`;
  let openingSanitizer: Promise<Sanitizer | undefined> | undefined;
  let openingImages: Promise<CollectionImages | undefined> | undefined;
  const images = () => {
    openingImages ??= replica.host().then((host) => host.openImages(settings));
    return openingImages;
  };
  const sanitizerOf = () => {
    openingSanitizer ??= openSanitizer(models, { memoize: true });
    return openingSanitizer;
  };
  const collection: ServedCollection = {
    space,
    settings,
    usesColumns: true,
    tagName,
    get name() {
      return identity.name;
    },
    references: () => referencesOf(space, settings),
    get queries() {
      return queries;
    },
    images,
    async findInvalid() {
      if (space.settings.onInvalid !== 'skip') return undefined;
      return findInvalidItems(space, await sanitizerOf());
    },
    async maker(measured) {
      const sanitizer = await sanitizerOf();
      const { digest: hash, hashItem } = await replica.host();
      const tools = { hash, ...(hashItem && { hashItem }), sanitizer, images: measured };
      return new EntryMaker({
        ...tools,
        space,
        settings,
        resolverOf: entryResolvers(space, tools, cacheItems),
        dataFingerprint: dataFingerprint(space, settings, await images(), sanitizer),
        renderMarkdown: noMarkdown,
      });
    },
  };
  const queries = new RegisteredQueries(collection, tagName);
  return collection;
}

/** After so many items, what was resolved is forgotten: a view is kept for as long as its version. */
const ITEMS_IN_MEMORY = 1000;

/** Finds what `onInvalid: 'skip'` skips, as a build does. */
function findInvalidItems(space: RunningSpace, sanitizer: Sanitizer | undefined): FindInvalid {
  // Nothing is hashed to find out whether an item is valid, and its images make no difference.
  const tools = { hash: (text: string) => text, sanitizer, images: undefined };
  const open = () => findInvalidWith(entryResolvers(space, tools, cacheItems));
  let find = open();
  let count = 0;
  return (...args) => {
    if (++count % ITEMS_IN_MEMORY === 0) find = open();
    return find(...args);
  };
}

/** The live collections that references lead to, by field. */
function referencesOf(space: RunningSpace, settings: CollectionSettings) {
  const { model, references, drafts } = settings;
  const place = `liveLoader(${JSON.stringify(model)})`;
  return new Map(
    Object.entries(references).map(([luid, name]) => {
      const targets = targetsOf(fieldsOf(space.models, model)[luid] as ReferenceField);
      const found = findReferenced(collectionsOf(space), { name, targets, drafts });
      if ('problem' in found) throw referenceError(place, settings, luid, found);
      const target = found.collection.settings;
      checkTargetLanguage(`${place}: references.${luid}`, space, settings, { name, rule: target.rule });
      return [luid, { collection: name, rule: target.rule }] as const;
    }),
  );
}

/** Astro renders Markdown in builds only: such bodies are refused when the loader is defined. */
async function noMarkdown(): Promise<never> {
  throw new Error('Markdown cannot be rendered at request time');
}
