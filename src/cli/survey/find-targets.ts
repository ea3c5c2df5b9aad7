import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidRequestError } from '../../shared/errors.ts';
import { fieldsSeen, observeItems } from '../infer/observations.ts';
import type { SurveyClient } from './survey-client.ts';

/** How many ids are looked up: in lists, or one by one if the service cannot filter by id. */
const MAX_IDS = 1_000;
const MAX_SINGLE_IDS = 50;

/** The models of referenced ids, as far as they can be looked up. */
export async function findReferenceTargets(
  client: SurveyClient,
  items: readonly WireContent[],
  known: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const found = new Map([...known, ...items.map(({ _id, _model }) => [_id, _model] as const)]);
  const missing = referencedIds(items)
    .filter((id) => !found.has(id))
    .slice(0, MAX_IDS);
  for (const { _id, _model } of await lookUp(client, missing)) found.set(_id, _model);
  return found;
}

async function lookUp(client: SurveyClient, ids: readonly number[]): Promise<WireContent[]> {
  const pages: number[][] = [];
  for (let start = 0; start < ids.length; start += LIMITS.pageSize) {
    pages.push(ids.slice(start, start + LIMITS.pageSize));
  }
  const select = '_id,_model';
  try {
    const requests = pages.map((page) =>
      client.list({ '_id[in]': page.join(), select, depth: 0, limit: LIMITS.pageSize }),
    );
    return (await Promise.all(requests)).flatMap(({ data }) => data);
  } catch (error) {
    // According to §4.1, `_updated_at` is the only system property that can be filtered.
    if (!LuidRequestError.is(error) || error.status !== 400) throw error;
    const single = ids.slice(0, MAX_SINGLE_IDS).map((id) => client.get(id, { select, depth: 0 }));
    return (await Promise.all(single)).filter((item) => item !== undefined);
  }
}

function referencedIds(items: readonly WireContent[]): number[] {
  const fields = [...fieldsSeen(observeItems(items))];
  return [...new Set(fields.flatMap((seen) => [...seen.ids]))];
}
