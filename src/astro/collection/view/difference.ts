import type { ContentMember } from './find-members.ts';
import type { Member, MemberList } from './member-list.ts';

/** What a change of content may change in a collection. */
export interface Difference<M extends Member> {
  /** The members whose entries may be new or other than before, in their order, and what these were before. */
  readonly changed: readonly { readonly member: ContentMember; readonly before: M | undefined }[];
  /** The ids of entries that the collection does not contain any more. */
  readonly removed: readonly string[];
}

/**
 * What may differ between two views of a collection: what is made of an affected item, and what was or is next to it. All
 * other entries are certain to be equal. A build stages and commits it, a server turns it into cache tags; both find out
 * by its digest whether an entry does differ.
 */
export function findDifference<M extends Member>(
  before: MemberList<M>,
  after: MemberList<ContentMember>,
  affected: ReadonlySet<number>,
): Difference<M> {
  const near = after.byLanguage.map(() => new Set<number>());
  for (const members of [before, after]) {
    for (const member of members.membersOf(affected)) {
      for (const one of [member, ...members.neighboursOf(member)])
        if (one) near[one.language]?.add(one.itemId);
    }
  }
  const isNear = ({ language, itemId }: Member) => near[language]?.has(itemId) === true;
  const changed = after.all
    .filter(isNear)
    .map((member) => ({ member, before: before.member(member.language, member.itemId) }));
  const former = new Set(before.membersOf(affected).map(({ id }) => id));
  return { changed, removed: [...former].filter((id) => after.find(id).length === 0) };
}
