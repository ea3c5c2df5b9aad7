import type { WireContent } from '../../contract/content.ts';
import type { SurveyClient } from './survey-client.ts';

export interface Languages {
  readonly main: string;
  readonly sub: readonly string[];
}

const ITEMS_PER_MODEL = 8;
const MAX_ITEMS = 80;

/**
 * The languages of some items of each model, from `_langs` (§2.2), which only a read by id returns;
 * `undefined` if no item has it.
 */
export async function findLanguages(
  client: SurveyClient,
  models: readonly (readonly Pick<WireContent, '_id'>[])[],
): Promise<Languages | undefined> {
  const sample = models.flatMap((list) => pickEvenly(list, ITEMS_PER_MODEL)).slice(0, MAX_ITEMS);
  const items = await Promise.all(sample.map(({ _id }) => client.get(_id, { depth: 0, include: '_langs' })));
  const langs = items.flatMap((item) => item?._langs ?? []);
  const [main] = langs.map(({ current }) => current);
  if (main === undefined) return undefined;
  const keys = new Set(langs.flatMap(({ available }) => available));
  keys.delete(main);
  return { main, sub: [...keys].sort() };
}

/** `count` elements of the list, evenly spaced. */
function pickEvenly<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from(
    { length: count },
    (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T,
  );
}
