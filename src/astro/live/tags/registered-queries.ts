import { type Conditions, compileFilter } from '../../../entries/query/filter.ts';
import type { Collection } from '../../collection/view/collection.ts';
import type { CollectionView } from '../../collection/view/collection-view.ts';
import type { ContentMember } from '../../collection/view/find-members.ts';
import { firstName, rowShape } from '../../collection/view/item-rows.ts';
import { createTimeSlices } from '../../collection/view/time-slices.ts';
import { type LiveQuery, selectMembers } from '../serve/query.ts';
import { listTag, queryKey } from './cache-tags.ts';

interface Registered {
  readonly query: LiveQuery;
  /** The version that it was evaluated in. */
  readonly version: number;
  /** It was compared across all changes from this version on. */
  readonly since: number;
  /** The ids of the entries that it shows. */
  readonly ids: readonly string[];
}

/** What a new version changes in lists. Nothing is stored before it is applied. */
export interface QueriesUpdate {
  readonly changedTags: readonly string[];
  /** Whether pages may show lists that are not known any more: those of the collection are all to be invalidated. */
  readonly hasForgotten: boolean;
  /** Called when the new version is served. */
  apply(): void;
}

/** A change of a collection, from one version to the next. */
export interface QueriesChange {
  readonly before: CollectionView;
  readonly after: CollectionView;
  /** Content IDs of the items whose entries may differ. */
  readonly affected: ReadonlySet<number>;
  /** Ids of the entries that differ. */
  readonly changedEntries: ReadonlySet<string>;
  /** The number of the next version. */
  readonly version: number;
}

/** Lists that are remembered. If more are used, a change invalidates those that were forgotten whenever in doubt. */
const MAX_QUERIES = 500;

/** The lists that pages have shown, to know which of them a change concerns. */
export class RegisteredQueries {
  readonly #collection: Collection;
  readonly #name: string;
  readonly #queries = new Map<string, Registered>();
  /** What an update has evaluated that is not applied yet. */
  #pending: ReadonlyMap<string, Registered> = new Map();
  /** How many were forgotten since all lists of the collection were invalidated. */
  #forgotten = 0;
  /** Of the last update. */
  #version = 0;

  constructor(collection: Collection, name: string) {
    this.#collection = collection;
    this.#name = name;
  }

  /**
   * Remembers a list in a version. What is known of a later version is not replaced; `isEvaluatedLater` is whether it was
   * compared with this version.
   */
  add(
    query: LiveQuery,
    members: readonly ContentMember[],
    version: number,
  ): { readonly tag: string; readonly isEvaluatedLater: boolean } {
    const key = queryKey(query);
    const known = this.#queries.get(key);
    this.#queries.delete(key);
    const isKnownLater = known !== undefined && known.version > version;
    this.#queries.set(
      key,
      isKnownLater ? known : { query, version, since: this.#sinceOf(known, version), ids: idsOf(members) },
    );
    if (this.#queries.size > MAX_QUERIES) {
      this.#queries.delete(this.#queries.keys().next().value as string);
      this.#forgotten += 1;
    }
    const later = isKnownLater ? known : this.#pending.get(key);
    const isEvaluatedLater = later !== undefined && later.version > version && later.since <= version;
    return { tag: listTag(this.#name, query), isEvaluatedLater };
  }

  /** A list that was added by a request of an earlier version starts anew: changes before that were not compared. */
  #sinceOf(known: Registered | undefined, version: number): number {
    return known && known.version >= this.#version ? known.since : version;
  }

  /**
   * Evaluates the lists that affected items may be part of, in a new version. Returns the tags of those that contain other
   * entries, or in another order; and of long ones, which do not name their entries, also those that contain a changed
   * entry.
   */
  async update(change: QueriesChange): Promise<QueriesUpdate> {
    const { before, after, affected, changedEntries, version } = change;
    const changedTags: string[] = [];
    const evaluated = new Map<string, Registered>();
    const forgotten = this.#forgotten;
    this.#pending = evaluated;
    const slice = createTimeSlices();
    for (const [key, registered] of [...this.#queries]) {
      await slice();
      const { query, ids, since } = registered;
      // Added by a request that began before an earlier change.
      const isLate = registered.version < this.#version;
      // Also a neighbour of an affected item, which the list itself need not contain.
      const showsChange = isLongList(ids) && ids.some((id) => changedEntries.has(id));
      const mayDiffer = () => [before, after].some((view) => this.#contains(view, query, affected));
      if (!isLate && !showsChange && !mayDiffer()) {
        evaluated.set(key, { ...registered, version });
        continue;
      }
      const next = idsOf(await selectMembers(this.#collection, after, query, ''));
      evaluated.set(key, { query, version, since: isLate ? version : since, ids: next });
      const isSame = JSON.stringify(next) === JSON.stringify(ids);
      if (isSame && !showsChange && !isLate) continue;
      changedTags.push(listTag(this.#name, query));
    }
    const apply = () => {
      this.#apply(evaluated, version);
      // Not those that were forgotten meanwhile: whether all lists are invalidated was decided before.
      this.#forgotten -= forgotten;
    };
    return { changedTags, hasForgotten: this.#forgotten > 0, apply };
  }

  /** Forgets all lists, which were all invalidated because a version cannot be compared with the one before. */
  forget(version: number): void {
    this.#queries.clear();
    this.#forgotten = 0;
    this.#pending = new Map();
    this.#version = version;
  }

  #apply(evaluated: ReadonlyMap<string, Registered>, version: number): void {
    for (const [key, next] of evaluated) {
      const known = this.#queries.get(key);
      if (known && known.version < next.version) this.#queries.set(key, next);
    }
    this.#pending = new Map();
    this.#version = version;
  }

  /** Whether any of these items matches the filter of a list. */
  #contains(view: CollectionView, { where = {} }: LiveQuery, ids: ReadonlySet<number>): boolean {
    const { space, settings } = this.#collection;
    const filter = compileFilter(space.models, settings.model, where as Conditions);
    const shape = rowShape(space.models, settings.model, Object.keys(where).map(firstName));
    return view.membersOf(ids).some((member) => {
      const languageItems = view.languages[member.language];
      return languageItems !== undefined && filter(view.row(member, shape), languageItems);
    });
  }
}

function idsOf(members: readonly ContentMember[]): string[] {
  return members.map(({ id }) => id);
}

/** Whether a list has so many entries that their tags would not fit into a header. */
export function isLongList(entries: readonly unknown[]): boolean {
  return entries.length > 100;
}
