import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { SurveyClient } from './survey-client.ts';

export interface ModelSample {
  readonly items: readonly WireContent[];
  /** Number of items of the model in the requested language. */
  readonly total: number;
}

/** The newest 100 and the oldest 100 items of a model, at depth 0: references are ids. */
export async function sampleModel(client: SurveyClient, model: string, lang?: string): Promise<ModelSample> {
  const page = (order: string) => client.list({ model, lang, order, depth: 0, limit: LIMITS.pageSize });
  const newest = await page('-_created_at');
  const oldest = newest.total > newest.data.length ? await page('_created_at') : undefined;
  const items = new Map([...newest.data, ...(oldest?.data ?? [])].map((item) => [item._id, item]));
  return { items: [...items.values()], total: newest.total };
}
