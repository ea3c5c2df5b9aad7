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
  /** The ids of the entries that it shows, in the version that is served. */
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
}

/** Lists that are remembered. If more are used, a change invalidates those that were forgotten whenever in doubt. */
const MAX_QUERIES = 500;

/**
 * The lists that pages have shown of the version that is served, to know which of them a change concerns. From the
 * beginning of an update until the next version is served, none are added.
 */
export class RegisteredQueries {
  readonly #collection: Collection;
  readonly #name: string;
  #queries = new Map<string, Registered>();
  /** Whether some were forgotten since all lists of the collection were invalidated. */
  #hasForgotten = false;

  constructor(collection: Collection, name: string) {
    this.#collection = collection;
    this.#name = name;
  }

  /** Remembers a list. Returns its tag. */
  add(query: LiveQuery, members: readonly ContentMember[]): string {
    const key = queryKey(query);
    this.#queries.delete(key);
    this.#queries.set(key, { query, ids: idsOf(members) });
    if (this.#queries.size > MAX_QUERIES) {
      this.#queries.delete(this.#queries.keys().next().value as string);
      this.#hasForgotten = true;
    }
    return listTag(this.#name, query);
  }

  /**
   * Evaluates the lists that affected items may be part of, in a new version. Returns the tags of those that contain other
   * entries, or in another order; and of long ones, which do not name their entries, also those that contain a changed
   * entry.
   */
  async update({ before, after, affected, changedEntries }: QueriesChange): Promise<QueriesUpdate> {
    const changedTags: string[] = [];
    const evaluated = new Map<string, Registered>();
    const slice = createTimeSlices();
    for (const [key, registered] of this.#queries) {
      await slice();
      const { query, ids } = registered;
      // Also a neighbour of an affected item, which the list itself need not contain.
      const showsChange = isLongList(ids) && ids.some((id) => changedEntries.has(id));
      const mayDiffer = () => [before, after].some((view) => this.#contains(view, query, affected));
      if (!showsChange && !mayDiffer()) {
        evaluated.set(key, registered);
        continue;
      }
      const next = idsOf(await selectMembers(this.#collection, after, query, ''));
      evaluated.set(key, { query, ids: next });
      const isSame = JSON.stringify(next) === JSON.stringify(ids);
      if (!isSame || showsChange) changedTags.push(listTag(this.#name, query));
    }
    const apply = () => {
      this.#queries = evaluated;
      this.#hasForgotten = false;
    };
    return { changedTags, hasForgotten: this.#hasForgotten, apply };
  }

  /** Forgets all lists, which were all invalidated because a version cannot be compared with the one before. */
  forget(): void {
    this.#queries.clear();
    this.#hasForgotten = false;
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
