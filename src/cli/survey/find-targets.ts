import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidRequestError } from '../../errors.ts';
import { observeItems } from '../infer/infer.ts';
import type { Group } from '../infer/sightings.ts';
import type { Service } from './survey-client.ts';

/** Ids that are looked up, at most: 10 pages of them, or single ones where the service lists none by id. */
const MOST_IDS = 1_000;
const MOST_SINGLE_IDS = 50;

/** The models of all ids that the items refer to, as far as they can be looked up. */
export async function findTargets(
  service: Service,
  items: readonly WireContent[],
  known: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const found = new Map([...known, ...items.map(({ _id, _model }) => [_id, _model] as const)]);
  const missing = referencedIds(items)
    .filter((id) => !found.has(id))
    .slice(0, MOST_IDS);
  for (const { _id, _model } of await lookUp(service, missing)) found.set(_id, _model);
  return found;
}

async function lookUp(service: Service, ids: readonly number[]): Promise<WireContent[]> {
  const pages: number[][] = [];
  for (let start = 0; start < ids.length; start += LIMITS.pageSize) {
    pages.push(ids.slice(start, start + LIMITS.pageSize));
  }
  const select = '_id,_model';
  try {
    const answers = pages.map((page) =>
      service.list({ '_id[in]': page.join(), select, depth: 0, limit: LIMITS.pageSize }),
    );
    return (await Promise.all(answers)).flatMap(({ data }) => data);
  } catch (error) {
    // §4.1 names `_updated_at` alone as a system property that filters apply to.
    if (!LuidRequestError.is(error) || error.status !== 400) throw error;
    const single = ids.slice(0, MOST_SINGLE_IDS).map((id) => service.get(id, { select, depth: 0 }));
    return (await Promise.all(single)).filter((item) => item !== undefined);
  }
}

function referencedIds(items: readonly WireContent[]): number[] {
  const { models, sets } = observeItems(items);
  const ids = new Set<number>();
  const visit = (group: Group) => {
    for (const seen of group.values()) {
      for (const id of seen.ids) ids.add(id);
      visit(seen.entries);
    }
  };
  for (const group of [...models.values(), ...sets.values()]) visit(group);
  return [...ids];
}
