import type { WireContent } from '../../contract/content.ts';
import { LimitedReader, type Part } from '../../replica/read/limited-reader.ts';
import { PageSizes } from '../../replica/read/page-sizes.ts';
import type { SurveyClient } from './survey-client.ts';

export interface ModelSample {
  readonly items: readonly WireContent[];
  /** Number of items of the model in the requested language. */
  readonly total: number;
}

/**
 * The newest 100 and the oldest 100 items of a model, at depth 0: references are ids. Fewer, if that is more than the
 * service sends at once.
 */
export async function sampleModel(client: SurveyClient, model: string, lang?: string): Promise<ModelSample> {
  const query = { model, lang, depth: 0 };
  const limited = new LimitedReader({
    sizes: new PageSizes(),
    signal: new AbortController().signal,
    checkService: () => client.list({ ...query, limit: 1, select: '_id' }),
  });
  const page = (order: string) => {
    const read = ({ limit, select }: Part) =>
      client.list({ ...query, order, limit, ...(select !== undefined && { select }) });
    return limited.first({ name: model, read }, false);
  };
  const newest = await page('-_created_at');
  const oldest = newest.total > newest.data.length ? await page('_created_at') : undefined;
  const items = new Map([...newest.data, ...(oldest?.data ?? [])].map((item) => [item._id, item]));
  return { items: [...items.values()], total: newest.total };
}
