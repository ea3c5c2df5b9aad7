import type { CacheHint, LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { Entry } from '../../../entries/collection.ts';
import { unusableIdsError } from '../../../entries/entry-id.ts';
import { subLanguagesOf } from '../../../entries/language-content.ts';
import { duplicateIdsError, invalidContentError } from '../../../entries/problems/content-errors.ts';
import type { LuidContentError, LuidError } from '../../../shared/errors.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { EntryMaker } from '../../collection/make/entry-maker.ts';
import type { CollectionView } from '../../collection/view/collection-view.ts';
import type { ContentMember } from '../../collection/view/find-members.ts';
import { VersionState } from '../check/version-state.ts';
import type { LazyLiveSource } from '../lazy-live-source.ts';
import { checkCollectionFilter, checkEntryFilter } from '../live-options.ts';
import { LATE_TAG, liveSources } from '../live-sources.ts';
import { returnError } from '../return-error.ts';
import { entriesTag, entryTag, listsTag } from '../tags/cache-tags.ts';
import { isLongList } from '../tags/registered-queries.ts';
import { EntryNotFoundError } from './entry-not-found-error.ts';
import { findQuickly } from './find-quickly.ts';
import { openServedCollection } from './open-served-collection.ts';
import { type LiveQuery, selectMembers } from './query.ts';
import type { ReplicaLiveSettings } from './replica-live-options.ts';
import type { CollectionIdentity } from './served-collection.ts';
import { collectionsOf, sharedLiveReplica } from './shared-live-replica.ts';

export { sharedLiveReplica };

/** An entry as a page gets it, without its cache hint. It has the digest that a build would give it. */
interface MadeEntry extends Omit<LiveDataEntry, 'cacheHint'> {
  readonly digest: string;
  readonly body?: string;
}

type ServedEntry = MadeEntry & { cacheHint?: CacheHint };

/** Entries of one model from a replica in this server: the same as a build would make of the same content. */
export function replicaLiveLoader(
  space: RunningSpace,
  { settings, refresh }: ReplicaLiveSettings,
  source: LazyLiveSource,
  identity: CollectionIdentity,
): LiveLoader<Record<string, unknown>, Record<string, unknown>, Record<string, unknown>, LuidError> {
  const { models } = space;
  const { model } = settings;
  const place = `liveLoader(${JSON.stringify(model)})`;
  const replica = sharedLiveReplica(space, settings.drafts, source);
  const langs = subLanguagesOf(space, settings.rule);
  replica.require(refresh, langs, identity);
  const collection = openServedCollection(space, settings, replica, identity);
  /** Versions whose skipped items were logged. */
  const reported = new WeakSet<CollectionView>();
  // A preview names its collection like the model.
  if (!identity.isPreview) collectionsOf(space).add(collection);

  async function prepared(state: VersionState) {
    const found = await state.prepare(collection, await collection.images());
    const { view } = found;
    if (reported.has(view)) return found;
    reported.add(view);
    if (view.withoutId.length > 0) warnSkipped(unusableIdsError(view.withoutId, settings.rule.id, true));
    if (view.invalid.length > 0) warnSkipped(invalidContentError(view.invalid, true));
    return found;
  }

  /** What is skipped is on no page that could show the error. */
  function warnSkipped({ message }: LuidContentError): void {
    space.runtime.once(message, () => console.warn(`[astro-luid] skipped: ${message}`));
  }

  /** An entry; or, if there is none, the tags that are invalidated when there is. */
  async function loadEntry(filter: object): Promise<ServedEntry | { readonly missing: string[] }> {
    checkEntryFilter(models, model, filter, settings.rule.langs);
    const { id, ...query } = filter as { id?: string | number } & LiveQuery;
    const current = await replica.current(langs);
    const state = identity.isForOneRequest ? new VersionState(current.number, current.content) : current;
    return id === undefined ? loadFirst(state, { ...query, limit: 1 }) : loadById(state, String(id));
  }

  async function loadById(state: VersionState, id: string) {
    const missing = () => ({ missing: hintTags(state, id) });
    if (!state.isPrepared(collection) && !(await collection.images())) {
      // Found in the background, for the next requests.
      prepared(state).catch(() => {});
      const quick = await findQuickly(collection, state.content, id);
      if (quick) {
        if (!quick.entry) return missing();
        return withCacheHint(state, await make(await collection.maker(undefined), quick.entry));
      }
    }
    const { view, images } = await prepared(state);
    const found = view.find(id);
    const [member] = found;
    if (found.length > 1) throw duplicates(view, found);
    if (!member) return missing();
    return withCacheHint(state, await make(await collection.maker(images), view.entryOf(member)));
  }

  /** The first entry that matches. */
  async function loadFirst(state: VersionState, query: LiveQuery) {
    const { view, images } = await prepared(state);
    const found = await selectMembers(collection, view, query, `${place}, getLiveEntry`);
    const tags = listTags(state, query, found);
    const [member] = found;
    if (!member) return { missing: tags };
    const made = await make(await collection.maker(images), view.entryOf(member));
    return addTags(withCacheHint(state, made), tags);
  }

  async function loadCollection(filter: object): Promise<{ entries: ServedEntry[]; cacheHint: CacheHint }> {
    checkCollectionFilter(models, model, filter, settings.rule.langs);
    const query = filter as LiveQuery;
    const state = await replica.current(langs);
    const { view, images } = await prepared(state);
    const maker = await collection.maker(images);
    const members = await selectMembers(collection, view, query, `${place}, getLiveCollection`);
    const made: MadeEntry[] = [];
    for (const member of members) made.push(await make(maker, view.entryOf(member)));
    const tags = listTags(state, query, members);
    const entries = made.map((one) => {
      if (liveSources().hasOutsideCache) return { ...one, cacheHint: { tags } };
      return isLongList(members) ? one : withCacheHint(state, one);
    });
    return { entries, cacheHint: { tags: [...tags, ...(await staleTags())] } };
  }

  /** Throws for invalid content, as a build would fail. With `onInvalid: 'skip'`, views have no such entries. */
  async function make(maker: EntryMaker, entry: Entry): Promise<MadeEntry> {
    const made = maker.resolve(entry);
    if ('issues' in made) throw invalidContentError([made]);
    const body = await maker.renderBody(made);
    return { id: entry.id, data: made.data, digest: maker.digestOf(entry), ...body } as MadeEntry;
  }

  function withCacheHint(state: VersionState, made: MadeEntry): ServedEntry {
    return { ...made, cacheHint: { tags: hintTags(state, made.id) } };
  }

  /** The tags of a page that shows an entry, or that there is none. */
  function hintTags(state: VersionState, id: string): string[] {
    const tags = [entryTag(collection.tagName, id), entriesTag(collection.tagName)];
    // What is used first while versions are compared is not part of that.
    return state.covered?.has(collection) === false ? [...tags, LATE_TAG] : tags;
  }

  function addTags({ cacheHint, ...entry }: ServedEntry, tags: readonly string[]): ServedEntry {
    return { ...entry, cacheHint: { ...cacheHint, tags: [...(cacheHint?.tags ?? []), ...tags] } };
  }

  /** The tags of a page that shows a list, which is remembered: in a cache outside of the process, all lists have one tag. */
  function listTags(
    { covered }: VersionState,
    query: LiveQuery,
    members: readonly ContentMember[],
  ): string[] {
    const all = listsTag(collection.tagName);
    if (liveSources().hasOutsideCache) return [all];
    // What is remembered now would not be compared.
    return [covered ? LATE_TAG : collection.queries.add(query, members), all];
  }

  async function staleTags(): Promise<string[]> {
    const since = await replica.staleSince();
    return since === undefined ? [] : ['luid:stale', `luid:confirmed:${Math.floor(since / 1000)}`];
  }

  function duplicates(view: CollectionView, members: readonly ContentMember[]): LuidContentError {
    const [{ id }] = members as [ContentMember];
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
