import { changedItems, type ItemChanges } from '../../../replica/content/changed-items.ts';
import { type Content, replicasOf } from '../../../replica/content/content.ts';
import type { Replica } from '../../../replica/replica.ts';
import { CollectionView } from '../../collection/view/collection-view.ts';
import { findDifference } from '../../collection/view/difference.ts';
import { nextView } from '../../collection/view/next-view.ts';
import { createTimeSlices } from '../../collection/view/time-slices.ts';
import type { PreparedCollection, VersionState } from '../check/version-state.ts';
import { type LiveChange, liveSources } from '../live-sources.ts';
import type { ServedCollection } from '../serve/served-collection.ts';
import {
  type ChangedTags,
  collectionTags,
  entryTag,
  itemsTag,
  itemTags,
  limitChange,
  listsTag,
} from './cache-tags.ts';

/** The lists that pages request may filter by what referenced content refers to. */
const LIST_DISTANCE = 2;

/** Two versions of the content. */
interface Versions {
  readonly before: VersionState;
  readonly after: VersionState;
  /** Content IDs of what is different in any language. */
  readonly changed: ReadonlySet<number>;
}

/** Reports which collections could be compared. */
export interface CollectionReports {
  succeed(collection: ServedCollection): void;
  fail(collection: ServedCollection, error: unknown): void;
}

/**
 * What is different between two versions, as cache tags: no more and no less than what pages show. Of a collection that
 * cannot be compared, that is everything: it does not keep the others from being up to date.
 */
export async function findChange(
  before: VersionState,
  after: VersionState,
  collections: Iterable<ServedCollection>,
  reports: CollectionReports,
): Promise<LiveChange> {
  const changes = changesByLanguage(before.content, after.content);
  const union = (of: (change: ItemChanges) => ReadonlySet<number>) =>
    new Set(changes.flatMap((change) => [...of(change)]));
  const changed = union(({ all }) => all);
  const groups = changedItemTags(changed, [...replicasOf(after.content), ...replicasOf(before.content)]);
  const updates: (() => void)[] = [];
  for (const collection of collections) {
    const all = collectionTags(collection.tagName);
    try {
      const { tags, apply } = await changedTags(collection, { before, after, changed });
      groups.push({ exact: tags, coarse: all });
      updates.push(apply);
      reports.succeed(collection);
    } catch (error) {
      reports.fail(collection, error);
      groups.push({ exact: all, coarse: all });
      updates.push(() => collection.queries.forget());
    }
  }
  // After everything that can fail: what a failed check has compared would be lost.
  for (const apply of updates) apply();
  const [added, removed] = [union((one) => one.added), union((one) => one.removed)];
  const edited = union((one) => one.changed);
  const { hasOutsideCache, maxTags } = liveSources();
  const tags = limitChange(groups, hasOutsideCache ? maxTags : Number.POSITIVE_INFINITY);
  return { tags, added: added.size, changed: edited.size, removed: removed.size };
}

function changesByLanguage(before: Content, after: Content): ItemChanges[] {
  const subs = [...after.sub].flatMap(([lang, replica]) => {
    const old = before.sub.get(lang);
    return old ? [changedItems(old, replica)] : [];
  });
  return [changedItems(before.main, after.main), ...subs];
}

function changedItemTags(ids: ReadonlySet<number>, replicas: readonly Replica[]): ChangedTags[] {
  const byModel = new Map<string, Set<string>>();
  for (const id of ids) {
    const model = modelOf(id, replicas);
    if (model === undefined) continue;
    const tags = byModel.get(model) ?? new Set();
    byModel.set(model, tags);
    for (const tag of itemTags({ _model: model, _id: id })) tags.add(tag);
  }
  return [...byModel].map(([model, tags]) => ({
    exact: [...tags],
    coarse: [`luid:${model}`, itemsTag(model)],
  }));
}

function modelOf(id: number, replicas: readonly Replica[]): string | undefined {
  for (const replica of replicas) {
    const model = replica.modelOf(id);
    if (model !== undefined) return model;
  }
  return undefined;
}

/** `apply` is called when the next version is served. */
async function changedTags(
  collection: ServedCollection,
  versions: Versions,
): Promise<{ readonly tags: string[]; readonly apply: () => void }> {
  const { tagName, queries } = collection;
  const { was, is, affected } = await prepareBoth(collection, versions);
  const touched = was.view.membersOf(affected).length + is.view.membersOf(affected).length > 0;
  if (!touched) return { tags: [], apply() {} };
  const makerBefore = await collection.maker(was.images);
  const makerAfter = await collection.maker(is.images);
  const { changed, removed } = findDifference(was.view, is.view, affected);
  const changedEntries = new Set(removed);
  const slice = createTimeSlices();
  for (const { member, before } of changed) {
    const isSame =
      before?.id === member.id &&
      makerBefore.digestOf(was.view.entryOf(before)) === makerAfter.digestOf(is.view.entryOf(member));
    if (!isSame) for (const one of [before, member]) if (one) changedEntries.add(one.id);
    await slice();
  }
  const tags = [...changedEntries].map((id) => entryTag(tagName, id));
  const { changedTags, hasForgotten, apply } = await queries.update({
    before: was.view,
    after: is.view,
    affected,
    changedEntries,
  });
  tags.push(...changedTags);
  // In a cache outside of the process, there may be lists that were never shown by it.
  if (hasForgotten || liveSources().hasOutsideCache) tags.push(listsTag(tagName));
  return { tags, apply };
}

interface PreparedVersions {
  readonly was: PreparedCollection;
  readonly is: PreparedCollection;
  readonly affected: ReadonlySet<number>;
}

/** Rejects if the entries of a collection are not known before or after: its own requests fail then, too. */
async function prepareBoth(
  collection: ServedCollection,
  { before, after, changed }: Versions,
): Promise<PreparedVersions> {
  const images = await collection.images();
  const was = await before.prepare(collection, images);
  const found: { affected: ReadonlySet<number> | undefined } = { affected: undefined };
  const is = await after.prepare(collection, images, async () => {
    const { content } = after;
    const options = { before: was.view, content, changed, distance: LIST_DISTANCE };
    // Of a language that is new, everything is.
    const hasSameLanguages = before.content.sub.size === content.sub.size;
    const next = hasSameLanguages ? await nextView(collection, options) : undefined;
    const view = next?.view ?? (await CollectionView.open(collection, content));
    await view.findBacklinks();
    found.affected = next?.affected;
    return view;
  });
  // An image that could not be read before is known now: any entry may show it.
  const areImagesFound = was.images !== undefined && is.images?.knowsMoreThan(was.images) === true;
  const everything = () => new Set([...was.view.all, ...is.view.all].map(({ itemId }) => itemId));
  return { was, is, affected: areImagesFound ? everything() : (found.affected ?? everything()) };
}
