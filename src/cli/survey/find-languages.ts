import type { Discovery } from './discover-models.ts';
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
  { modelOf }: Pick<Discovery, 'modelOf'>,
  models: readonly string[] | undefined,
): Promise<Languages | undefined> {
  const ids = [...modelOf.keys()];
  const chosen = models ? ids.filter((id) => models.includes(modelOf.get(id) ?? '')) : ids;
  // A model that has content in other languages only is not listed.
  const byModel = Map.groupBy(chosen.length > 0 ? chosen : ids, (id) => modelOf.get(id));
  const sample = [...byModel.values()].flatMap((own) => pickEvenly(own, ITEMS_PER_MODEL));
  const items = await Promise.all(
    sample.slice(0, MAX_ITEMS).map((id) => client.get(id, { depth: 0, include: '_langs' })),
  );
  const langs = items.flatMap((item) => item?._langs ?? []);
  const [main] = langs.map(({ current }) => current);
  if (main === undefined) return undefined;
  const keys = new Set(langs.flatMap(({ available }) => available));
  keys.delete(main);
  return { main, sub: [...keys].sort() };
}

/** `count` elements of the list, evenly spaced. */
export function pickEvenly<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from(
    { length: count },
    (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T,
  );
}
