import type { CacheHint } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { Entry } from '../../../entries/collection.ts';
import { unusableIdsError } from '../../../entries/entry-id.ts';
import { subLanguagesOf } from '../../../entries/language-content.ts';
import { duplicateIdsError } from '../../../entries/problems/content-errors.ts';
import { openSanitizer, type Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { LuidContentError, LuidError } from '../../../errors.ts';
import type { ReferenceField } from '../../../models/field-types/reference.ts';
import { targetsOf } from '../../../models/field-types/reference.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { CollectionImages } from '../../loader/collection-images.ts';
import { checkTargetLanguage } from '../../loader/collection-rules.ts';
import { dataFingerprint } from '../../loader/data-fingerprint.ts';
import type { LazyLiveSource } from '../lazy-live-source.ts';
import { checkCollectionFilter, checkEntryFilter } from '../live-options.ts';
import { liveSources } from '../live-sources.ts';
import { returnError } from '../return-error.ts';
import { entriesTag, entryTag, listsTag, missingTag } from './cache-tags.ts';
import type { CollectionView, LiveCollection, LiveMember } from './collection-view.ts';
import { EntryNotFoundError } from './entry-not-found-error.ts';
import { findQuickly } from './find-quickly.ts';
import { findReferenced, referenceError } from './find-referenced.ts';
import { collectionsOf, liveReplicaOf } from './live-replica-of.ts';
import { EntryMaker, type MadeEntry } from './make-entries.ts';
import { type LiveQuery, selectMembers } from './query.ts';
import { isLongList, RegisteredQueries } from './registered-queries.ts';
import type { ReplicaLivePlan } from './replica-live-options.ts';
import type { CollectionIdentity, ServedCollection } from './served-collection.ts';
import { VersionState } from './version-state.ts';

export { liveReplicaOf };

type ServedEntry = MadeEntry & { cacheHint?: CacheHint };

let lastCollectionKey = 0;

/** Entries of one model from a replica in this server: the same as a build would make of the same content. */
export function replicaLiveLoader(
  space: RunningSpace,
  { plan, refresh }: ReplicaLivePlan,
  source: LazyLiveSource,
  identity: CollectionIdentity,
): LiveLoader<Record<string, unknown>, Record<string, unknown>, Record<string, unknown>, LuidError> {
  const { models } = space;
  const { model } = plan;
  const place = `liveLoader(${JSON.stringify(model)})`;
  const isSkipping = space.settings.onInvalid === 'skip';
  const replica = liveReplicaOf(space, plan.drafts, source);
  const langs = subLanguagesOf(space, plan.rule);
  replica.require(refresh, langs, identity);
  const collection = createCollection();
  const collections = collectionsOf(space);
  /** Versions whose items without an id were logged. */
  const reported = new WeakSet<CollectionView>();
  // A preview names its collection like the model.
  if (!identity.isPreview) collections.add(collection);

  function createCollection(): ServedCollection {
    const key = identity.isForOneRequest ? undefined : String(++lastCollectionKey);
    const tagName = `${model} ${plan.fingerprint}`;
    let openingSanitizer: Promise<Sanitizer | undefined> | undefined;
    let openingImages: Promise<CollectionImages | undefined> | undefined;
    const images = async () => {
      openingImages ??= replica.host().then((host) => host.openImages?.(plan));
      return openingImages;
    };
    const created: ServedCollection = {
      space,
      plan,
      key,
      tagName,
      get name() {
        return identity.name;
      },
      references: () => referencesOf(created),
      get queries() {
        return queries;
      },
      images,
      async maker(measured) {
        openingSanitizer ??= openSanitizer(models, { memoize: true });
        const sanitizer = await openingSanitizer;
        const fingerprint = dataFingerprint(space, plan, await images(), sanitizer);
        const host = await replica.host();
        return new EntryMaker({
          space,
          plan,
          sanitizer,
          images: measured,
          dataFingerprint: fingerprint,
          host,
        });
      },
    };
    const queries = new RegisteredQueries(created, tagName);
    return created;
  }

  function referencesOf({ plan: { references } }: LiveCollection) {
    return new Map(
      Object.entries(references).map(([luid, name]) => {
        const targets = targetsOf(fieldsOf(models, model)[luid] as ReferenceField);
        const found = findReferenced(collections, { name, targets, drafts: plan.drafts });
        if ('problem' in found) throw referenceError(place, plan, luid, found);
        const target = found.collection.plan;
        checkTargetLanguage(`${place}: references.${luid}`, space, plan, { name, rule: target.rule });
        return [luid, { collection: name, rule: target.rule }] as const;
      }),
    );
  }

  async function prepared(state: VersionState) {
    const found = await state.prepare(collection, await collection.images());
    const { view } = found;
    if (view.withoutId.length > 0 && !reported.has(view)) {
      reported.add(view);
      warnSkipped(unusableIdsError(view.withoutId, plan.rule.id, true));
    }
    return found;
  }

  /** What is skipped is on no page that could show the error. */
  function warnSkipped({ message }: LuidContentError): void {
    space.runtime.once(message, () => console.warn(`[astro-luid] skipped: ${message}`));
  }

  /** An entry; or, if there is none, the tags that are invalidated when there is. */
  async function loadEntry(filter: object): Promise<ServedEntry | { readonly missing: string[] }> {
    checkEntryFilter(models, model, filter, plan.rule.langs);
    const { id, ...query } = filter as { id?: string | number } & LiveQuery;
    const current = await replica.current(langs);
    const state = identity.isForOneRequest ? new VersionState(current.version) : current;
    return id === undefined ? loadFirst(state, { ...query, limit: 1 }) : loadById(state, String(id));
  }

  async function loadById(state: VersionState, id: string) {
    const missing = () => ({ missing: [...hintTags(state, id), missingTag(collection.tagName)] });
    if (!state.has(collection) && !(await collection.images())) {
      // Found in the background, for the next requests.
      prepared(state).catch(() => {});
      const quick = await findQuickly(collection, state.version, id);
      if (quick) {
        if (!quick.entry) return missing();
        const maker = await collection.maker(undefined);
        const made = throwIfInvalid(await maker.make(quick.entry));
        state.addQuickId(collection, id);
        return made ? withCacheHint(state, quick.entry, made) : missing();
      }
    }
    const { view, images } = await prepared(state);
    const found = view.find(id);
    const [member] = found;
    if (found.length > 1) throw duplicates(view, found);
    if (!member) return missing();
    const maker = await collection.maker(images);
    const entry = view.entryOf(member);
    const made = throwIfInvalid(await maker.make(entry));
    return made ? withCacheHint(state, entry, made) : missing();
  }

  /** The first entry that matches. */
  async function loadFirst(state: VersionState, query: LiveQuery) {
    const { view, images } = await prepared(state);
    const found = await selectMembers(collection, view, query, `${place}, getLiveEntry`);
    const tags = [register(state, query, found), listsTag(collection.tagName)];
    const [member] = found;
    if (!member) return { missing: tags };
    const maker = await collection.maker(images);
    const entry = view.entryOf(member);
    const made = throwIfInvalid(await maker.make(entry));
    if (!made) return { missing: [...tags, ...hintTags(state, entry.id)] };
    const served = withCacheHint(state, entry, made);
    return addTags(served, tags);
  }

  async function loadCollection(filter: object): Promise<{ entries: ServedEntry[]; cacheHint: CacheHint }> {
    checkCollectionFilter(models, model, filter, plan.rule.langs);
    const query = filter as LiveQuery;
    const state = await replica.current(langs);
    const { view, images } = await prepared(state);
    const maker = await collection.maker(images);
    const members = await selectMembers(collection, view, query, `${place}, getLiveCollection`);
    const isLong = isLongList(members);
    const entries: ServedEntry[] = [];
    const skipped: string[] = [];
    for (const member of members) {
      const entry = view.entryOf(member);
      const made = throwIfInvalid(await maker.make(entry));
      if (made) entries.push(isLong ? made : withCacheHint(state, entry, made));
      // Invalidated when they are corrected. A long list is anyway, when one of its members changes.
      else if (!isLong) skipped.push(...hintTags(state, entry.id));
    }
    const tags = [register(state, query, members), listsTag(collection.tagName), ...skipped];
    return { entries, cacheHint: { tags: [...tags, ...(await staleTags())] } };
  }

  /** Throws for invalid content as a build would fail; with `onInvalid: 'skip'` it is `undefined`. */
  function throwIfInvalid(made: MadeEntry | { readonly error: LuidContentError }): MadeEntry | undefined {
    if (!('error' in made)) return made;
    if (!isSkipping) throw made.error;
    warnSkipped(made.error);
    return undefined;
  }

  function withCacheHint(state: VersionState, entry: Entry, made: MadeEntry): ServedEntry {
    return { ...made, cacheHint: { tags: hintTags(state, entry.id) } };
  }

  /** The tags of a page that shows an entry, or that there is none. */
  function hintTags(state: VersionState, id: string): string[] {
    const tag = entryTag(collection.tagName, id);
    // A page that shows a version that is being replaced must not be cached, if it is not known whether it differs.
    if (state.covered?.has(collection) === false) replica.reportLate([tag]);
    return liveSources().hasOutsideCache ? [tag, entriesTag(collection.tagName)] : [tag];
  }

  function addTags({ cacheHint, ...entry }: ServedEntry, tags: readonly string[]): ServedEntry {
    return { ...entry, cacheHint: { ...cacheHint, tags: [...(cacheHint?.tags ?? []), ...tags] } };
  }

  /** Remembers a list, and returns its tag. */
  function register(
    { version, covered }: VersionState,
    query: LiveQuery,
    members: readonly LiveMember[],
  ): string {
    const { tag, isEvaluatedLater } = collection.queries.add(query, members, version.number);
    if (covered && !isEvaluatedLater) replica.reportLate([tag]);
    return tag;
  }

  async function staleTags(): Promise<string[]> {
    const since = await replica.staleSince();
    return since === undefined ? [] : ['luid:stale', `luid:confirmed:${Math.floor(since / 1000)}`];
  }

  function duplicates(view: CollectionView, members: readonly LiveMember[]): LuidContentError {
    const [{ id }] = members as [LiveMember];
    const items = members.map((member) => view.entryOf(member).item);
    return duplicateIdsError(new Map([[id, items]]), collection.name ?? model);
  }

  return {
    name: 'astro-luid',
    loadEntry: ({ filter, collection: name }) =>
      returnError(async () => {
        identity.name = name;
        const result = await loadEntry(filter);
        const stale = await staleTags();
        if (!('missing' in result)) return stale.length > 0 ? addTags(result, stale) : result;
        const cacheHint = { tags: [...result.missing, ...stale] };
        return { error: new EntryNotFoundError(name, filter, cacheHint) };
      }),
    loadCollection: ({ filter = {}, collection: name }) =>
      returnError(async () => {
        identity.name = name;
        return loadCollection(filter);
      }),
  };
}
