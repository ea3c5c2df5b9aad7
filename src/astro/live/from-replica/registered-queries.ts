import { type Conditions, compileFilter } from '../../../entries/filter.ts';
import { listTag, queryKey } from './cache-tags.ts';
import type { CollectionView, LiveCollection, LiveMember } from './collection-view.ts';
import { firstName, rowShape } from './item-rows.ts';
import { type LiveQuery, selectMembers } from './query.ts';

interface Registered {
  readonly query: LiveQuery;
  /** The version that it was evaluated in. */
  readonly version: number;
  /** The ids of the entries that it shows. */
  readonly ids: readonly string[];
}

/** Lists that are remembered. If more are used, a change invalidates those that were forgotten whenever in doubt. */
const MAX_QUERIES = 500;

/** The lists that pages have shown, to know which of them a change concerns. */
export class RegisteredQueries {
  readonly #collection: LiveCollection;
  readonly #name: string;
  readonly #queries = new Map<string, Registered>();
  #hasForgotten = false;
  /** Of the last update. */
  #version = 0;

  constructor(collection: LiveCollection, name: string) {
    this.#collection = collection;
    this.#name = name;
  }

  /** Remembers a list in a version. What is known of a later version is not replaced. */
  add(
    query: LiveQuery,
    members: readonly LiveMember[],
    version: number,
  ): { readonly tag: string; readonly isEvaluatedLater: boolean } {
    const key = queryKey(query);
    const known = this.#queries.get(key);
    this.#queries.delete(key);
    const isEvaluatedLater = known !== undefined && known.version > version;
    this.#queries.set(key, isEvaluatedLater ? known : { query, version, ids: idsOf(members) });
    if (this.#queries.size > MAX_QUERIES) {
      this.#queries.delete(this.#queries.keys().next().value as string);
      this.#hasForgotten = true;
    }
    return { tag: listTag(this.#name, query), isEvaluatedLater };
  }

  /**
   * Evaluates the lists that affected items may be part of, in a new version. Returns the tags of those that contain other entries, or in
   * another order; and of long ones, which do not name their entries, also those that contain a changed entry.
   */
  async update(
    before: CollectionView,
    after: CollectionView,
    affected: ReadonlySet<number>,
    changedEntries: ReadonlySet<string>,
    version: number,
  ): Promise<{ readonly changedTags: readonly string[]; readonly hasForgotten: boolean }> {
    const changedTags: string[] = [];
    for (const [key, registered] of [...this.#queries]) {
      const { query, ids } = registered;
      // Added by a request that began before an earlier change.
      const isLate = registered.version < this.#version;
      if (!isLate && ![before, after].some((view) => this.#contains(view, query, affected))) {
        this.#queries.set(key, { ...registered, version });
        continue;
      }
      const next = idsOf(await selectMembers(this.#collection, after, query, ''));
      const isSame = JSON.stringify(next) === JSON.stringify(ids);
      const showsChange = isLongList(ids) && ids.some((id) => changedEntries.has(id));
      this.#queries.set(key, { query, version, ids: next });
      if (isSame && !showsChange && !isLate) continue;
      changedTags.push(listTag(this.#name, query));
    }
    this.#version = version;
    return { changedTags, hasForgotten: this.#hasForgotten };
  }

  /** Whether any of these items matches the filter of a list. */
  #contains(view: CollectionView, { where = {} }: LiveQuery, ids: ReadonlySet<number>): boolean {
    const { space, plan } = this.#collection;
    const filter = compileFilter(space.models, plan.model, where as Conditions);
    const shape = rowShape(space.models, plan.model, Object.keys(where).map(firstName));
    return view.membersOf(ids).some((member) => {
      const languageItems = view.languages[member.language];
      return languageItems !== undefined && filter(view.row(member, shape), languageItems);
    });
  }
}

function idsOf(members: readonly LiveMember[]): string[] {
  return members.map(({ id }) => id);
}

/** Whether a list has so many entries that their tags would not fit into a header. */
export function isLongList(entries: readonly unknown[]): boolean {
  return entries.length > 100;
}
