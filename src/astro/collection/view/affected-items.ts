import type { BacklinkRule, ListedReferrers } from '../../../entries/backlinks.ts';
import type { CollectionRule } from '../../../entries/collection.ts';
import type { Replica } from '../../../replica/replica.ts';
import type { Collection } from './collection.ts';

/**
 * Over how many references a change can show in an entry, or in an item that it lists. One more than `depth`: whether a
 * reference leads anywhere shows at its boundary too. A reference to an entry of another collection depends on whether
 * that contains its target, which may depend on what the target refers to, or embeds if invalid content is skipped.
 */
export function changeDistance({
  settings: { rule, backlinks },
  references,
}: Pick<Collection, 'settings' | 'references'>) {
  const reachOf = ({ depth, filterReach }: Reach) => Math.max(depth + 1, filterReach);
  const targets = [...references().values()].map((target) => target.rule);
  return Math.max(...[rule, ...backlinks].map(reachOf), ...targets.map((target) => 1 + reachOf(target)));
}

type Reach = Pick<CollectionRule, 'depth' | 'filterReach'>;

/**
 * The items whose entries may show any of these: they themselves, and what leads to them through at most `distance`
 * references, in any language. Items that did not change refer to the same as before, so the references of today are
 * enough to find everything that showed a removed item.
 */
export function itemsThatShow(
  changed: ReadonlySet<number>,
  replicas: readonly Pick<Replica, 'referrersOf'>[],
  distance: number,
): Set<number> {
  return spread(changed, distance, (level) => replicas.map((replica) => replica.referrersOf(level)));
}

/** These items, and what they lead to through at most `distance` references, in any language. */
export function itemsShownBy(
  ids: ReadonlySet<number>,
  replicas: readonly Pick<Replica, 'linksOf'>[],
  distance: number,
): Set<number> {
  return spread(ids, distance, (level) =>
    [...level].flatMap((id) => replicas.map((replica) => replica.linksOf(id))),
  );
}

function spread(
  start: ReadonlySet<number>,
  distance: number,
  step: (level: ReadonlySet<number>) => Iterable<number>[],
): Set<number> {
  const found = new Set(start);
  let level = start;
  for (let left = distance; left > 0 && level.size > 0; left--) {
    const next = new Set<number>();
    for (const ids of step(level)) for (const id of ids) if (!found.has(id)) next.add(id);
    for (const id of next) found.add(id);
    level = next;
  }
  return found;
}

type Rules = readonly Pick<BacklinkRule, 'from'>[];

/** The items whose backlinks may show any of these: what they refer to now, in any language, and what listed them before. */
export function itemsThatList(
  ids: ReadonlySet<number>,
  rules: Rules,
  replicas: readonly Pick<Replica, 'modelOf' | 'linksOf'>[],
  listedBefore: readonly ListedReferrers[],
): Set<number> {
  const found = new Set<number>();
  if (rules.length === 0) return found;
  const models = new Set(rules.map(({ from }) => from));
  for (const id of ids) {
    for (const replica of replicas) {
      if (models.has(replica.modelOf(id) ?? '')) for (const target of replica.linksOf(id)) found.add(target);
    }
  }
  for (const listed of listedBefore) {
    for (const [item, referrers] of Object.entries(listed)) {
      if (referrers.some((id) => ids.has(id))) found.add(Number(item));
    }
  }
  return found;
}

/** All items that the backlinks of these may list. */
export function possibleReferrers(
  ids: ReadonlySet<number>,
  rules: Rules,
  replicas: readonly Pick<Replica, 'modelOf' | 'referrersOf'>[],
): Set<number> {
  const found = new Set<number>();
  if (rules.length === 0) return found;
  const models = new Set(rules.map(({ from }) => from));
  for (const replica of replicas) {
    for (const id of replica.referrersOf(ids)) {
      if (models.has(replica.modelOf(id) ?? '')) found.add(id);
    }
  }
  return found;
}
